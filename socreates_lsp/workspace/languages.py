"""Which language a file is written in, by its name, its first line, or the id that the client sends."""

from __future__ import annotations

from pathlib import PurePath

_BY_SUFFIX = {
    "py": "python", "pyi": "python", "pyw": "python",
    "js": "javascript", "mjs": "javascript", "cjs": "javascript", "jsx": "javascript",
    "ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx",
    "go": "go", "rs": "rust", "java": "java", "php": "php", "phtml": "php",
    "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "c++": "cpp",
    "hh": "cpp", "hpp": "cpp", "hxx": "cpp", "ipp": "cpp", "tpp": "cpp",
    "rb": "ruby", "kt": "kotlin", "kts": "kotlin", "swift": "swift", "scala": "scala", "cs": "csharp",
    "sh": "bash", "bash": "bash", "zsh": "bash", "lua": "lua", "ex": "elixir", "exs": "elixir",
    "hs": "haskell", "nix": "nix", "tf": "hcl", "hcl": "hcl", "sol": "solidity", "dart": "dart", "zig": "zig",
    "html": "html", "htm": "html", "vue": "html", "svelte": "html", "xml": "xml", "svg": "xml",
    "css": "css", "scss": "css", "less": "css",
    "json": "json", "jsonc": "json", "yaml": "yaml", "yml": "yaml", "toml": "toml",
    "ini": "ini", "cfg": "ini", "conf": "ini", "properties": "ini",
    "md": "markdown", "markdown": "markdown", "rst": "rst", "txt": "text", "tex": "latex",
    "sql": "sql", "r": "r", "jl": "julia", "pl": "perl", "pm": "perl", "ps1": "powershell",
    "clj": "clojure", "lisp": "lisp", "el": "lisp", "scm": "lisp", "erl": "erlang", "ml": "ocaml",
    "fs": "fsharp", "vb": "vb", "vim": "vim", "bat": "batch", "proto": "proto", "graphql": "graphql",
    "mk": "make", "cmake": "cmake", "dockerfile": "dockerfile", "m": "objective-c", "asm": "asm", "s": "asm",
}  # fmt: skip

_BY_NAME = {
    "makefile": "make", "gnumakefile": "make", "dockerfile": "dockerfile", "containerfile": "dockerfile",
    "cmakelists.txt": "cmake", "gemfile": "ruby", "rakefile": "ruby", ".bashrc": "bash", ".gitignore": "ini",
    "jenkinsfile": "java", "vagrantfile": "ruby", ".env": "ini", ".editorconfig": "ini",
}  # fmt: skip

_BY_INTERPRETER = {
    "python": "python", "pypy": "python", "node": "javascript", "deno": "typescript", "bun": "typescript",
    "php": "php", "ruby": "ruby", "bash": "bash", "sh": "bash", "zsh": "bash", "dash": "bash", "perl": "perl",
    "lua": "lua",
}  # fmt: skip

_BY_LANGUAGE_ID = {
    "javascriptreact": "javascript", "typescriptreact": "tsx", "shellscript": "bash", "sh": "bash",
    "c++": "cpp", "objective-c": "objective-c", "golang": "go", "py": "python", "plaintext": "text",
    "jsonc": "json", "makefile": "make", "vue": "html", "svelte": "html", "js": "javascript",
    "javascript.jsx": "javascript", "typescript.tsx": "tsx", "rs": "rust", "cuda-cpp": "cpp",
    "scss": "css", "less": "css", "latex": "latex", "cs": "csharp", "bat": "batch",
}  # fmt: skip


def language_of(path: str, first_line: str = "", language_id: str | None = None) -> str | None:
    """The language's name, or None when nothing tells it.

    ``path`` may be the path of a URI, ``first_line`` is looked at for ``#!``, ``language_id`` is what a client
    says of an open buffer (LSP 3.17, ``TextDocumentItem.languageId``); an id that we know beats the name.
    """
    name = PurePath(path.replace("\\", "/")).name.lower()
    by_name = _BY_NAME.get(name) or _BY_SUFFIX.get(name.rpartition(".")[2] if "." in name else "")
    if language_id:
        known = _BY_LANGUAGE_ID.get(language_id.lower(), language_id.lower())
        if known in _NAMES:
            return "tsx" if known == "typescript" and by_name == "tsx" else known
    if name.endswith(".ipynb"):
        # Read as code if it can be (notebook_file.py), else as the object that it is.
        return "json" if first_line.startswith("{") else "python"
    return by_name or _by_shebang(first_line)


def _by_shebang(first_line: str) -> str | None:
    if not first_line.startswith("#!"):
        return None
    words = [word for word in first_line[2:].split() if "=" not in word and not word.startswith("-")]
    for word in words[:2]:
        interpreter = word.rpartition("/")[2].rstrip("0123456789.")
        if interpreter in _BY_INTERPRETER:
            return _BY_INTERPRETER[interpreter]
    return None


_NAMES = frozenset(_BY_SUFFIX.values()) | frozenset(_BY_NAME.values()) | frozenset(_BY_INTERPRETER.values())
