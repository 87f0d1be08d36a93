"""What goes into the configuration of each editor. Written for the versions named; Neovim's is run in the tests."""

from __future__ import annotations

SNIPPETS = {
    "neovim": """\
-- Neovim 0.11, in init.lua. Ask with the code action: select lines, then gra.
vim.lsp.config('socreates', { cmd = { 'socreates-lsp' }, root_markers = { '.git' } })
vim.lsp.enable('socreates')""",
    "vscode": """\
VS Code 1.91 or newer, with our extension from editors/vscode of the repository:
code --install-extension socreates.vsix
It finds socreates-lsp on PATH, and asks with Ctrl+. on a selection.""",
    "emacs": """\
;; Emacs 29 with eglot; then M-x eglot, and M-x eglot-code-actions on a region.
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(prog-mode . ("socreates-lsp"))))""",
    "helix": """\
# Helix, in languages.toml; then select lines, and space a.
[language-server.socreates]
command = "socreates-lsp"

[[language]]
name = "python"
language-servers = ["pylsp", "socreates"]""",
    "zed": """\
Zed starts language servers from extensions only; there is none of ours yet.
On the command line: socreates-lsp review --changes""",
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
