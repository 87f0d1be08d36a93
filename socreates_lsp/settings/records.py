"""The settings that are tables in a list: standing questions and fallback models. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from socreates_lsp.settings.choices import Provider
from socreates_lsp.settings.kinds import Choice, Kind, VariableName, WebAddress, Words

QUESTION = Words("a question", most=2000, lines=True)
PATTERN = Words("a path pattern such as docs/**")
MODEL_NAME = Words("a model's name")


class StandingQuestion(NamedTuple):
    """A question put to every review that touches a file whose path matches ``glob`` (``**`` crosses folders)."""

    question: str
    glob: str = "**"


class Fallback(NamedTuple):
    """The model to ask when the one before failed.

    ``provider`` None means that of ``model``, and ``base_url`` None the endpoint of ``model`` if the provider is
    the same, else the provider's own. A key is sent only if ``api_key_env`` names it or the endpoint is that of
    ``model``. For ``llamacpp`` the file is always ``model.path``, which no client may set.
    """

    name: str
    provider: Provider | None = None
    base_url: str | None = None
    api_key_env: str | None = None


class QuestionTable(Kind[StandingQuestion]):
    """A table with ``question`` and perhaps ``glob``."""

    expects = "a table with a question and perhaps a glob, and nothing else"
    schema: Mapping[str, object] = {
        "type": "object",
        "properties": {"glob": PATTERN.schema, "question": QUESTION.schema},
        "required": ["question"],
        "additionalProperties": False,
    }

    def take(self, value: object) -> StandingQuestion | None:
        """See ``Kind``."""
        table = _table(value, {"question": "question", "glob": "glob"})
        if table is None:
            return None
        question = QUESTION.take(table.get("question"))
        glob = PATTERN.take(table.get("glob", "**"))
        return None if question is None or glob is None else StandingQuestion(question, glob)

    def plain(self, value: object) -> object:
        """See ``Kind``."""
        standing = cast("StandingQuestion", value)
        return {"glob": standing.glob, "question": standing.question}


class FallbackTable(Kind[Fallback]):
    """A model's name, or a table with ``name`` and perhaps ``provider``, ``baseUrl`` and ``apiKeyEnv``."""

    expects = "a model's name, or a table with name and perhaps provider, baseUrl and apiKeyEnv"
    schema: Mapping[str, object] = {
        "anyOf": [
            MODEL_NAME.schema,
            {
                "type": "object",
                "properties": {
                    "name": MODEL_NAME.schema,
                    "provider": Choice(Provider).schema,
                    "baseUrl": WebAddress.schema,
                    "apiKeyEnv": VariableName.schema,
                },
                "required": ["name"],
                "additionalProperties": False,
            },
        ]
    }

    def take(self, value: object) -> Fallback | None:
        """See ``Kind``."""
        table: Mapping[str, object] | None = {"name": value}
        if not isinstance(value, str):
            spellings = {"name": "name", "provider": "provider", "baseUrl": "base_url", "apiKeyEnv": "api_key_env"}
            table = _table(value, spellings)
        if table is None:
            return None
        name = MODEL_NAME.take(table.get("name"))
        provider = Choice(Provider).take(table.get("provider"))
        base_url = WebAddress().take(table.get("base_url"))
        key = VariableName().take(table.get("api_key_env"))
        given = {"provider": provider, "base_url": base_url, "api_key_env": key}
        if name is None or any(part is None and table.get(field) is not None for field, part in given.items()):
            return None
        return Fallback(name, provider, base_url, key)

    def shown(self, value: object) -> str:
        """See ``Kind``."""
        return "" if isinstance(value, Mapping) else super().shown(value)

    def plain(self, value: object) -> object:
        """See ``Kind``."""
        model = cast("Fallback", value)
        table = {
            "name": model.name,
            "provider": model.provider and model.provider.value,
            "baseUrl": model.base_url,
            "apiKeyEnv": model.api_key_env,
        }
        return {name: part for name, part in table.items() if part is not None}


def _table(value: object, spellings: Mapping[str, str]) -> Mapping[str, object] | None:
    """The table with its keys as fields (``spellings``: camelCase to snake_case); None if a key is no field."""
    if not isinstance(value, Mapping):
        return None
    fields = {**spellings, **{field: field for field in spellings.values()}}
    items = cast("Mapping[object, object]", value).items()
    if not all(isinstance(name, str) and name in fields for name, _ in items):
        return None
    return {fields[cast("str", name)]: part for name, part in items if part is not None}
