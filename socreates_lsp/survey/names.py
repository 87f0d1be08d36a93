"""What the name of a file tells: whether it is a test, an entry, a secret, made by a program. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TEST_FOLDER = re.compile(r"(?:^|/)(tests?|__tests__|specs?|e2e|unit-?tests?|integration-?tests?)/", re.IGNORECASE)
_TEST_FILE = re.compile(
    r"(?:^|/)(?:test_[^/]+\.py|[^/]+_(?:test|spec)\.(?:py|go|rb|exs|dart|cc|cpp|c|js|ts)"
    r"|[^/]+\.(?:test|spec|cy)\.[cm]?[jt]sx?|[^/]+(?:Test|Tests|TestCase|IT|Spec)\.(?:php|java|kt|scala|cs|swift|groovy)"
    r"|tests\.py|conftest\.py)\Z"
)
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|testdata|fixtures?|__fixtures__|_?examples?|samples?|docs?|demos?|benchmarks?|stubs?"
    r"|templates?|scaffolds?|testing|e2e|mocks?|__mocks__|third_party|fuzz|\.devcontainer)/",
    re.IGNORECASE,
)
_GENERATED = re.compile(
    r"(?:\.min\.(?:js|css)|\.bundle\.js|\.pb\.go|_pb2(?:_grpc)?\.pyi?|\.g\.dart|\.generated\.\w+|_generated\.\w+|\.d\.ts"
    r"|\.designer\.cs|bindata\.go|zz_generated[^/]*|\.snap|\.map)\Z",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"(?:^|/)(?:\.env(?:\.(?!(?:example|sample|dist|template|tpl|test|testing|ci|default|defaults|schema|vault)\b)[\w.-]+)?"
    r"|[^/]+\.(?:p12|pfx|jks|keystore|kdbx|ppk)|(?!(?:[^/]*[._-])?(?:ca|cert|cacert|public|pub|chain|fullchain|root)[._-])[^/]+\.(?:pem|key)"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)|\.htpasswd|\.netrc|\.pgpass|credentials(?:\.json)?"
    r"|[^/]*service[-_]?account[^/]*\.json|secrets?\.(?:ya?ml|json|toml|properties|env)|auth\.json)\Z"
)


@dataclass(frozen=True, slots=True)
class EntryName:
    """A name that files have in which a program begins. ``tells`` finds the line; without it the name is enough."""

    name: re.Pattern[str]
    what: str
    tells: re.Pattern[str] | None = None


def _entry(name: str, what: str, tells: str | None = None) -> EntryName:
    return EntryName(re.compile(rf"{name}\Z"), what, None if tells is None else re.compile(tells))


_PYTHON = r"\s*if __name__ == |\s*\w+\s*=\s*(?:fastapi\.)?(?:FastAPI|Flask|Starlette|Sanic|typer\.Typer|Typer)\("

ENTRIES = (
    _entry(
        r"(?:.*/)?(?:public|web|htdocs|www|webroot)/index\.php|index\.php",
        "the front controller",
        r".*(?:->handle|->run|require|include)",
    ),
    _entry(r"artisan", "Laravel's console", r"#!.*php|<\?php"),
    _entry(r"bin/console", "Symfony's console", r"#!.*php|<\?php"),
    _entry(r"(?:[\w-]+/){0,2}routes/[\w-]+\.php", "routes", r".*Route::|.*\$\w+->(?:get|post|group)\("),
    _entry(r"(?:[\w-]+/){0,2}manage\.py", "Django's console", r"\s*def main|.*execute_from_command_line"),
    _entry(r"(?:[\w-]+/){0,3}__main__\.py", "what `python -m` starts", r"\S"),
    _entry(r"(?:[\w-]+/){0,2}(?:wsgi|asgi)\.py", "what the web server loads", r"application\s*=|app\s*="),
    _entry(r"(?:src/|app/|[\w-]+/)?(?:main|app|server|cli|run)\.py", "a Python program", _PYTHON),
    _entry(r"(?:[\w.-]+/){0,4}main\.go", "a Go program", r"func main\("),
    _entry(
        r"(?:[\w-]+/){0,3}(?:src/main|main|src/bin/[\w-]+(?:/main)?)\.rs",
        "a Rust program",
        r"\s*(?:pub )?(?:async )?fn main\(",
    ),
    _entry(
        r"(?:[\w-]+/){0,2}(?:src/)?(?:index|main|server|app)\.[cm]?[jt]sx?",
        "a program in JavaScript or TypeScript",
        r".*(?:\.listen\(|createRoot\(|createServer\(|createApp\(|bootstrap\(|ReactDOM\.render|\.mount\(|#!.*node)",
    ),
    _entry(
        r"(?:.*/)?\w*(?:Application|Main|App)\.(?:java|kt)",
        "a Java or Kotlin program",
        r".*(?:SpringApplication\.run|static void main|fun main\()",
    ),
    _entry(r"(?:[\w.-]+/){0,3}Program\.cs", "a .NET program", r".*(?:static .*Main\(|WebApplication\.CreateBuilder)"),
    _entry(r"config/routes\.rb|config\.ru", "what Rails serves", r"\S"),
)  # fmt: skip


def test_folder(path: str) -> str | None:
    """The outermost folder of tests that a path lies in, with its slash."""
    match = _TEST_FOLDER.search(path)
    return None if match is None else path[: match.end(1) + 1]


def is_test(path: str) -> bool:
    """Whether a file is named like a test."""
    return _TEST_FILE.search(path) is not None


def is_aside(path: str) -> bool:
    """Whether a file lies among tests, examples, documentation or the like."""
    return _ASIDE.search(path) is not None and "src/main/" not in path


def is_generated(path: str) -> bool:
    """Whether a file is named like one that a program wrote."""
    return _GENERATED.search(path) is not None


def is_secret(path: str) -> bool:
    """Whether a file is named like one that holds a secret; those among tests and examples are not meant."""
    return _SECRET.search(path) is not None and not is_aside(path)
