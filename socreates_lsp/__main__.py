"""``python -m socreates_lsp`` is the console script ``socreates-lsp``."""

from socreates_lsp.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
