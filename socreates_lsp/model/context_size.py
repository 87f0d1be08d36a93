"""How large a context is, as servers tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.model.failures import ModelError
from socreates_lsp.model.untyped import count, table, words

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

FALLBACK_TOKENS = 8192
"""What nearly every model has, where neither the server nor the settings tell."""

_NAMES = ("loaded_context_length", "max_model_len", "context_length", "context_window", "max_context_length")


class Size:
    """The size of one model's context, asked once."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: int | None = None

    async def get(self, ask: Callable[[], Awaitable[int | None]], settings: int | None, fallback: int) -> int:
        """What the server tells, never more than the settings say; else the settings, else ``fallback``.

        A server that could not be asked is asked again the next time.
        """
        if self._known is not None:
            return self._known
        try:
            told = await ask()
        except ModelError as failure:
            if failure.passing:
                return settings or fallback
            told = None
        self._known = min(filter(None, (told, settings)), default=fallback)
        return self._known


def listed_tokens(models: Iterable[Mapping[str, Any]], name: str) -> int | None:
    """The size that ``/v1/models`` tells of a model: vLLM, OpenRouter, Groq and Mistral each have their own name."""
    for model in models:
        if words(model.get("id")) == name:
            found = [count(model.get(key)) for key in _NAMES]
            return next((size for size in found if size), None)
    return None


def props_tokens(props: object) -> int | None:
    """The size that llama.cpp's ``/props`` tells: that of one slot, which is what a request gets."""
    return count(table(table(props).get("default_generation_settings")).get("n_ctx")) or None


def trained_tokens(show: object) -> int | None:
    """The size that Ollama's ``/api/show`` tells: the largest that the model was trained for."""
    info = table(table(show).get("model_info"))
    return max((count(value) for key, value in info.items() if key.endswith(".context_length")), default=0) or None
