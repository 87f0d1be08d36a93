"""Names that are no settings and look like a try to say where a model is served. Pure.

Who writes ``base-url`` or ``model.url`` means an address, and if it were merely ignored, code would go to the
provider's own address instead, which nobody named.
"""

from __future__ import annotations

from socreates_lsp.settings.consent import EMBEDDINGS_URL, MODEL_URL
from socreates_lsp.settings.keys import guess, sections

_ANYWHERE = ("baseur", "endpoint", "apibase", "apiurl", "apiuri", "apihost")
_OF_A_MODEL = (*_ANYWHERE, "url", "uri", "host", "address", "server", "base")


def meant_address(written: str) -> str | None:
    """The setting for an address that a name, which is none, probably means; None if it means something else."""
    *above, last = (part.lower().replace("_", "").replace("-", "") for part in written[:200].split("."))
    section = above[-1] if above else ""
    if section in {name.lower() for name in sections()} - {"model", "embeddings"}:
        return None
    if section.startswith("embed") or (not above and "embed" in last):
        meant, marks = EMBEDDINGS_URL, _OF_A_MODEL if above else _ANYWHERE
    else:
        meant, marks = MODEL_URL, _OF_A_MODEL if section.startswith("model") else _ANYWHERE
    if any(mark in last for mark in marks):
        return meant
    guessed = guess(written)
    return guessed.name if guessed is not None and guessed.name in {MODEL_URL, EMBEDDINGS_URL} else None
