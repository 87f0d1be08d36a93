"""socreates-lsp: a language server that reviews code by asking questions, and never touches it."""

__version__ = "0.1.0"
