"""``python -m socreates_lsp`` is the console script ``socreates-lsp``."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # ``-m`` puts the current folder first on the path, and that may be anybody's repository: its yaml.py must not
    # become ours. (Not if we run from a checkout of our own.)
    try:
        here = Path.cwd()
    except OSError:
        here = Path(sys.path[0])
    if sys.path and sys.path[0] in {"", str(here)} and not Path(__file__).resolve().is_relative_to(here.resolve()):
        del sys.path[0]
    from socreates_lsp.cli.main import main

    raise SystemExit(main())
