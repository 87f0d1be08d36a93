"""Every setting: its type, default, meaning, and who may change it how. The one source of truth. Pure.

``keys.py`` reads these classes; sources, documentation and the JSON schema for editors all follow from them.
An attribute ``max_steps`` of section ``review`` is ``review.maxSteps`` on the wire, ``review.max_steps`` in TOML
and ``SOCREATES_REVIEW__MAX_STEPS`` as a variable.
"""

from __future__ import annotations

from socreates_lsp.settings.choices import Level, Provider, Recheck, Reveal, Sandbox, Telemetry, Tools
from socreates_lsp.settings.facts import Client, Section, Tighten, key
from socreates_lsp.settings.kinds import (
    Choice,
    HostPattern,
    Many,
    Number,
    Switch,
    VariableName,
    WebAddress,
    Whole,
    Words,
)
from socreates_lsp.settings.records import (
    MODEL_NAME,
    PATTERN,
    Fallback,
    FallbackTable,
    QuestionTable,
    StandingQuestion,
)

_FILE = "a path"
_SERVICE = Words("the name of a service", most=40)
_COMMANDS = Many(Words("the start of a command, such as npm install"), "a list of commands")
_GLOBS = Many(PATTERN, "a list of path patterns")


class ModelSettings(Section):
    """Which model answers, and how it is reached."""

    provider: Provider = key(Provider.AUTO, Choice(Provider), "Who answers; auto takes a local Ollama if there is one.")
    base_url: str | None = key(
        None, WebAddress(), "Where the model is served. A client may name another machine only by the user's consent."
    )
    name: str | None = key(None, MODEL_NAME, "The model's name at the provider.")
    path: str | None = key(None, Words(_FILE, most=4000), "A GGUF file for the provider llamacpp.", client=Client.NEVER)
    chat_template: str | None = key(
        None,
        Words("a chat template, or the path of one", most=100_000, lines=True),
        "The chat template for the provider llamacpp, if that of the file is not to be used.",
        client=Client.NEVER,
    )
    api_key_env: str | None = key(None, VariableName(), "The variable that holds the key. Never the key itself.")
    context_tokens: int | None = key(None, Whole(256), "The size of the context, where the server does not tell it.")
    max_output_tokens: int | None = key(None, Whole(1), "How long one answer may be. Less than contextTokens.")
    temperature: float | None = key(None, Number(0, 2), "The temperature; the server's own if it is not set.")
    timeout_seconds: float = key(300.0, Number(positive=True), "How long to wait for the first byte of an answer.")
    tools: Tools = key(
        Tools.AUTO, Choice(Tools), "How the model calls tools; text is for models that have no way of their own."
    )
    retries: int = key(3, Whole(0), "How often a request that may yet succeed is sent again.")
    parallel: int | None = key(
        None, Whole(1), "How many requests it gets at once: 1 for a model on this machine and 4 for others if not set."
    )
    ca_bundle: str | None = key(
        None,
        Words(_FILE, most=4000),
        "A file of certificates to trust. From a repository it could open the wire, so no client may set it.",
        client=Client.NEVER,
    )
    fallback: tuple[Fallback, ...] = key(
        (), Many(FallbackTable(), "a list of models"), "The models to ask, in this order, when one fails to answer."
    )


class ReviewSettings(Section):
    """How a review is done and shown."""

    max_steps: int = key(10, Whole(1), "How many requests one review may send to the model.")
    max_findings: int = key(12, Whole(0), "How many findings one review shows; the rest is counted. 0 shows all.")
    min_confidence: float = key(0.3, Number(0, 1), "Findings below this confidence are not shown.")
    verify: bool = key(default=True, kind=Switch(), doc="Whether a second opinion tries to refute what was found.")
    leads: bool = key(default=True, kind=Switch(), doc="Whether the examiner's findings show first, as leads.")
    reveal: Reveal = key(Reveal.ALL, Choice(Reveal), "How much a hover tells at once; ladder lets you think first.")
    recheck_on_save: Recheck = key(
        Recheck.RULES, Choice(Recheck), "Who looks again at open findings when a file is saved."
    )
    share_dismissals: bool = key(
        default=False, kind=Switch(), doc="Whether git sees .socreates/dismissed.json, so that a team shares it."
    )
    accept_dismissals: bool = key(
        default=False,
        kind=Switch(),
        doc="Whether dismissals that came with a workspace hold without asking, as on a build machine.",
        client=Client.NEVER,
    )


def _limit(default: float, doc: str) -> float:
    return key(
        default,
        Number(positive=True),
        doc,
        client=Client.BELOW_USER,
        workspace=True,
        tighten=Tighten.LOWER,
    )


def _count(default: int, doc: str) -> int:
    return key(default, Whole(1), doc, client=Client.BELOW_USER, workspace=True, tighten=Tighten.LOWER)


class LimitSettings(Section):
    """What a review and a day may take of time, tokens and money (US dollars)."""

    review_seconds: float = _limit(900.0, "How many seconds a review may take.")
    review_tokens: int = _count(500_000, "How many tokens a review may take.")
    day_tokens: int = _count(10_000_000, "How many tokens a day's reviews may take together.")
    review_cost_usd: float = _limit(1.0, "What a review may cost, where the price of the model is known.")
    day_cost_usd: float = _limit(10.0, "What a day's reviews may cost together.")


class HistorySettings(Section):
    """How much of a conversation the model gets again."""

    max_tokens: int = key(16_000, Whole(256), "Beyond this, the oldest turns are dropped, whole.")
    summarise_after_messages: int = key(
        60, Whole(0), "Beyond so many messages the older ones are summarised. 0 turns it off."
    )


class SessionSettings(Section):
    """The transcript under ``.socreates/``."""

    store: bool = key(
        default=True,
        kind=Switch(),
        doc="Whether the conversation is kept on disk.",
        client=Client.TIGHTENS,
        tighten=Tighten.STRICTER,
        laxer_first=(True, False),
    )
    keep_days: int = key(30, Whole(1), "How many days it is kept.", client=Client.BELOW_USER, tighten=Tighten.LOWER)


READ_DENY = (
    "**/.env", "**/.env.*", "**/*.env", "**/.envrc", "**/secrets/**", "**/*.pem", "**/*.key", "**/*.p12", "**/*.pfx",
    "**/*.jks", "**/*.kdbx", "**/id_rsa*", "**/id_dsa*", "**/id_ecdsa*", "**/id_ed25519*", "**/.ssh/**",
    "**/.gnupg/**", "**/.aws/**", "**/.netrc", "**/.pgpass", "**/.git-credentials", "**/.htpasswd", "**/.pypirc",
    "**/.npmrc",
    "**/.kube/config", "**/.docker/config.json", "**/*.tfstate",
)  # fmt: skip
COMMANDS_DENY = ("rm -rf", "git push", "sudo", "shutdown")
COMMANDS_ASK = (
    "npm install", "npm i", "npm ci", "npm add", "pnpm install", "pnpm i", "pnpm add", "yarn install", "yarn add",
    "bun install", "bun add", "pip install", "uv pip install", "uv add", "uv sync", "pipx install", "poetry install",
    "poetry add", "composer install", "composer require", "composer update", "gem install", "bundle install",
    "cargo install", "cargo add", "go install", "go get",
    "git commit",
)  # fmt: skip


class PolicySettings(Section):
    """What the tools may do. Whoever is not the user can only tighten it."""

    read_deny: tuple[str, ...] = key(
        READ_DENY,
        _GLOBS,
        "Files that are never read; ** crosses folders.",
        client=Client.TIGHTENS,
        workspace=True,
        tighten=Tighten.ADD,
    )
    commands_deny: tuple[str, ...] = key(
        COMMANDS_DENY,
        _COMMANDS,
        "Commands that are never run.",
        client=Client.TIGHTENS,
        workspace=True,
        tighten=Tighten.ADD,
    )
    commands_ask: tuple[str, ...] = key(
        COMMANDS_ASK,
        _COMMANDS,
        "Commands that are asked about each time, even if autoApprove names them.",
        client=Client.TIGHTENS,
        workspace=True,
        tighten=Tighten.ADD,
    )
    auto_approve: tuple[str, ...] = key((), _COMMANDS, "Commands that run without asking.", client=Client.NEVER)
    endpoints_allow: tuple[str, ...] | None = key(
        None,
        Many(HostPattern(), "a list of hosts"),
        "The only hosts besides this machine to which code may be sent; without it, any that the user named.",
        client=Client.TIGHTENS,
        workspace=True,
        tighten=Tighten.NARROW,
    )
    sandbox: Sandbox = key(
        Sandbox.AUTO,
        Choice(Sandbox),
        "How commands are isolated, beside running on a copy; required refuses them where it cannot be done.",
        client=Client.TIGHTENS,
        tighten=Tighten.STRICTER,
        laxer_first=tuple(Sandbox),
    )
    command_seconds: float = key(
        60.0,
        Number(positive=True),
        "How long a command may run.",
        client=Client.BELOW_USER,
        workspace=True,
        tighten=Tighten.LOWER,
    )
    prompt_seconds: float = key(300.0, Number(positive=True), "How long to wait for an answer; none means no.")


class DocsSettings(Section):
    """The documentation that reviews may search."""

    paths: tuple[str, ...] = key(
        (),
        Many(Words(_FILE, most=4000), "a list of paths"),
        "Files and folders to index; from a client or a workspace, only inside the workspace.",
        workspace=True,
        tighten=Tighten.ADD,
        inside=True,
    )


class EmbeddingSettings(Section):
    """The model that finds documentation by meaning."""

    base_url: str | None = key(None, WebAddress(), "Where it is served. The same consent as for model.baseUrl.")
    name: str | None = key(None, MODEL_NAME, "Its name.")


class WebSettings(Section):
    """Search on the web, which sends words of the code to others."""

    provider: str = key(
        "none",
        _SERVICE,
        "The search service; none is off.",
        client=Client.TIGHTENS,
        tighten=Tighten.STRICTER,
        laxer_first=("none",),
    )


class PluginSettings(Section):
    """Tools from outside the package, which are code."""

    enabled: tuple[str, ...] = key(
        (),
        Many(Words("a plugin's name", most=200), "a list of plugins"),
        "The plugins that are loaded.",
        client=Client.NEVER,
    )


class TelemetrySettings(Section):
    """Traces of what the agent does, for whoever runs it."""

    provider: Telemetry = key(
        Telemetry.NONE,
        Choice(Telemetry),
        "Where traces go; none is off.",
        client=Client.TIGHTENS,
        tighten=Tighten.STRICTER,
        laxer_first=(Telemetry.NONE,),
    )


class DiagnosticSettings(Section):
    """How findings show in an editor."""

    question: Level = key(Level.INFORMATION, Choice(Level), "How a question shows.")
    warning: Level = key(Level.WARNING, Choice(Level), "How a warning shows.")


class Settings(Section):
    """All settings, complete and checked."""

    model: ModelSettings = ModelSettings()
    review: ReviewSettings = ReviewSettings()
    limits: LimitSettings = LimitSettings()
    history: HistorySettings = HistorySettings()
    session: SessionSettings = SessionSettings()
    policy: PolicySettings = PolicySettings()
    plan_mode: bool = key(
        default=False,
        kind=Switch(),
        doc="Whether a plan has to be approved before anything runs.",
        client=Client.TIGHTENS,
        tighten=Tighten.STRICTER,
        laxer_first=(False, True),
    )
    supervise: bool = key(
        default=True,
        kind=Switch(),
        doc="Whether every tool that does more than read asks first. Off does not free commands.",
        client=Client.TIGHTENS,
        tighten=Tighten.STRICTER,
        laxer_first=(False, True),
    )
    rules: tuple[str, ...] = key(
        (),
        Many(Words("a rule in plain words", most=2000, lines=True), "a list of rules in plain words"),
        "Rules of the house that a review holds the code to.",
        workspace=True,
        tighten=Tighten.ADD,
    )
    questions: tuple[StandingQuestion, ...] = key(
        (),
        Many(QuestionTable(), "a list of tables with glob and question"),
        "Questions put to every review that touches a file matching the glob.",
        workspace=True,
        tighten=Tighten.ADD,
    )
    docs: DocsSettings = DocsSettings()
    embeddings: EmbeddingSettings = EmbeddingSettings()
    web: WebSettings = WebSettings()
    plugins: PluginSettings = PluginSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
    diagnostics: DiagnosticSettings = DiagnosticSettings()
