"""Settings: what the user, the editor and the workspace want, made one and checked.

Start here. A setting is declared once, as a field in ``schema.py``, with its type, default, meaning and who may
change it. What a *source* says is a ``Layer``::

    layers = [
        *user_layers(),                                      # config.toml and SOCREATES_... variables
        from_client(options, Source.INITIALIZATION),         # initializationOptions
        from_client(answer),                                 # workspace/configuration, didChangeConfiguration
        from_flags(["review.maxFindings=5"]),                # --set
    ]
    resolved = resolve(layers, workspace=workspace_layer(root))
    resolved.settings.review.max_findings                    # 5
    resolved.origins["review.maxFindings"]                   # "flag --set"
    resolved.problems                                        # what was not taken, each in one sentence

Later sources win, in the order of ``Source``; the workspace's ``socreates.toml`` comes last and can only tighten.
Nothing raises: a wrong value is a ``Problem`` and the rest holds; null is as good as not given. What an editor
sends may come from the repository it opened, so it approves no command, loads no code, and names another machine
only as one of ``needs_consent``. Before anything is sent anywhere, ``resolved.reach(url)`` has to be asked.

To add a setting, add a field to ``schema.py``. ``describe()`` then documents it, and every source accepts it.

| module | what it does |
|---|---|
| ``schema`` (``facts``, ``kinds``, ``choices``, ``records``) | which settings there are, and what a value may be |
| ``keys`` | finds a key by any spelling, guesses what was meant, describes all |
| ``sources``, ``files`` | turn what a source says into a layer; only ``files`` does I/O |
| ``tighten`` | makes a value stricter, never laxer |
| ``endpoints``, ``consent``, ``doubt`` | which hosts are this machine, which the user named, which was meant |
| ``resolve`` | lays the layers on each other |
"""

from socreates_lsp.settings.choices import Level, Provider, Recheck, Reveal, Sandbox, Telemetry
from socreates_lsp.settings.endpoints import Address, Endpoint, Reach, address_of, endpoint_of, is_loopback
from socreates_lsp.settings.files import config_folder, config_layer, user_layers, workspace_layer
from socreates_lsp.settings.keys import KeyDoc, describe
from socreates_lsp.settings.records import Fallback, StandingQuestion
from socreates_lsp.settings.resolve import Resolved, resolve
from socreates_lsp.settings.schema import (
    DiagnosticSettings,
    DocsSettings,
    EmbeddingSettings,
    HistorySettings,
    LimitSettings,
    ModelSettings,
    PluginSettings,
    PolicySettings,
    ReviewSettings,
    SessionSettings,
    Settings,
    TelemetrySettings,
    WebSettings,
)
from socreates_lsp.settings.sources import Layer, Problem, Source, from_client, from_environment, from_flags, from_table

__all__ = [
    "Address",
    "DiagnosticSettings",
    "DocsSettings",
    "EmbeddingSettings",
    "Endpoint",
    "Fallback",
    "HistorySettings",
    "KeyDoc",
    "Layer",
    "Level",
    "LimitSettings",
    "ModelSettings",
    "PluginSettings",
    "PolicySettings",
    "Problem",
    "Provider",
    "Reach",
    "Recheck",
    "Resolved",
    "Reveal",
    "ReviewSettings",
    "Sandbox",
    "SessionSettings",
    "Settings",
    "Source",
    "StandingQuestion",
    "Telemetry",
    "TelemetrySettings",
    "WebSettings",
    "address_of",
    "config_folder",
    "config_layer",
    "describe",
    "endpoint_of",
    "from_client",
    "from_environment",
    "from_flags",
    "from_table",
    "is_loopback",
    "resolve",
    "user_layers",
    "workspace_layer",
]
