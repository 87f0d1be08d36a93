"""The provider ``llamacpp``: a model from a file, in a server of our own. The seam for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.model.failures import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.model.types import ChatModel
    from socreates_lsp.settings.schema import ModelSettings


async def start_llamacpp(settings: ModelSettings, environ: Mapping[str, str]) -> ChatModel:  # noqa: ARG001
    """The model in ``settings.path``. Raises ModelError where it cannot be started."""
    raise ModelError(
        "The provider llamacpp is not part of this version: start llama.cpp's own server, choose model.provider "
        "openai, and put the server's address into model.baseUrl."
    )
