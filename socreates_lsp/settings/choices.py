"""The closed lists of words that settings choose from. Values only."""

from __future__ import annotations

from enum import StrEnum


class Provider(StrEnum):
    """Who answers. ``AUTO`` takes a loopback Ollama if there is one, else the built-in examiner."""

    AUTO = "auto"
    OLLAMA = "ollama"
    OPENAI = "openai"
    LLAMACPP = "llamacpp"
    EXAMINER = "examiner"


class Tools(StrEnum):
    """How a model calls tools. ``AUTO``: in its own way, and through text if it has none."""

    AUTO = "auto"
    NATIVE = "native"
    TEXT = "text"


class Reveal(StrEnum):
    """How much a hover tells at once."""

    ALL = "all"
    LADDER = "ladder"


class Recheck(StrEnum):
    """Who looks again at open findings when a file is saved."""

    OFF = "off"
    RULES = "rules"
    MODEL = "model"


class Sandbox(StrEnum):
    """How commands are isolated, beside running on a copy of the workspace. ``AUTO``: as well as this machine can."""

    OFF = "off"
    AUTO = "auto"
    REQUIRED = "required"


class Telemetry(StrEnum):
    """Where traces go."""

    NONE = "none"
    OTLP = "otlp"
    LANGFUSE = "langfuse"


class Level(StrEnum):
    """How a finding shows in an editor; never as an error."""

    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"
    OFF = "off"
