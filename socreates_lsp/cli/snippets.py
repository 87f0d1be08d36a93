"""What goes into the configuration of each editor, also shown by ``editors/README.md``. Neovim's and Emacs' are run in
the tests; the others are written from the documentation of the editors."""

from __future__ import annotations

SNIPPETS = {
    "neovim": """\
-- Neovim 0.11, in init.lua, without our plugin (editors/nvim). Ask: select lines, then gra.
vim.lsp.config('socreates', { cmd = { 'socreates-lsp' }, root_markers = { '.git' } })
vim.lsp.enable('socreates')""",
    "vscode": """\
VS Code 1.91 or newer, with our extension from editors/vscode of the repository:
code --install-extension socreates.vsix
It finds socreates-lsp on PATH, and asks with Ctrl+. on a selection.""",
    "emacs": """\
;; Emacs with eglot (part of Emacs 29, a package before); then M-x eglot, and M-x eglot-code-actions on a region.
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(prog-mode . ("socreates-lsp"))))""",
    "lsp-mode": """\
;; Emacs with lsp-mode, beside the other servers of a file; then M-x lsp, and M-x lsp-execute-code-action on a region.
(with-eval-after-load 'lsp-mode
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection "socreates-lsp")
                    :activation-fn (lambda (_file mode) (provided-mode-derived-p mode 'prog-mode))
                    :add-on? t
                    :server-id 'socreates)))""",
    "helix": """\
# Helix 23.10 or newer, in languages.toml, for each language; then select lines, and space a.
[language-server.socreates]
command = "socreates-lsp"

[[language]]
name = "python"
language-servers = ["pylsp", "socreates"]""",
    "zed": """\
Zed starts language servers from extensions only; there is none of ours yet.
On the command line: socreates-lsp review --changes""",
    "jetbrains": """\
IntelliJ IDEA, PyCharm and the others with the plugin LSP4IJ: Settings, Languages & Frameworks, Language Servers, +.
Server: name Socreates, command socreates-lsp. Mappings: the languages to serve. Then Alt+Enter on a selection.""",
    "sublime": """\
// Sublime Text with the package LSP, in LSP.sublime-settings
{
  "clients": {
    "socreates": { "enabled": true, "command": ["socreates-lsp"], "selector": "source" }
  }
}""",
    "kakoune": """\
# Kakoune with kakoune-lsp 18, in kakrc; then :lsp-code-actions
hook -group socreates global BufSetOption filetype=(?:python|javascript|typescript|go|rust|java|php|c|cpp) %{
  set-option -add buffer lsp_servers "
    [socreates-lsp]
    root_globs = ['.git']
  "
}""",
}
