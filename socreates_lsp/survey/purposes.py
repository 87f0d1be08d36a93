"""What a command is for, told by its name and by what it runs. Pure."""

from __future__ import annotations

import re

from socreates_lsp.survey.facts import Purpose

_TEST = r"""
py\.?test|unittest|nosetests|tox|nox|phpunit|pest|paratest|behat|codecept|artisan\ test|jest|vitest|mocha|ava|jasmine
|karma|cypress|playwright\ test|(?:node|bun|deno)\ (?:--)?test|go\ test|gotestsum|cargo\ (?:nextest|test)|ctest|rspec
|gradlew?\ (?:.*\ )?(?:test|check)|mvnw?\ (?:.*\ )?(?:test|verify)
|(?:npm|pnpm|yarn|composer|make|just)\ (?:run(?:-script)?\ )?[\w:-]*tests?\b[\w:-]*
"""
_LINT = r"""
ruff|flake8|pylint|mypy|pyright|black|isort|bandit|eslint|prettier|biome|stylelint|xo|oxlint|phpstan|psalm|larastan
|pint|php-cs-fixer|phpcs|rector|golangci-lint|gofmt|go\ vet|staticcheck|cargo\ (?:clippy|fmt)|rustfmt
|tsc\ (?:.*\ )?--noEmit
|vue-tsc|checkstyle|spotless\S*|shellcheck|hadolint|pre-commit|deptrac|markdownlint\S*|codespell
|(?:npm|pnpm|yarn|composer|make|just)\ (?:run(?:-script)?\ )?(?:[\w:-]*:)?
  (?:lint|format|typecheck|types|analyse|analyze|cs)\b[\w:-]*
"""
_BUILD = r"""
webpack|rollup|esbuild|tsup|vite\ build|next\ build|nuxt\ build|ng\ build|tsc|babel|swc|parcel\ build|go\ build
|goreleaser
|cargo\ build|mvnw?\ (?:.*\ )?(?:package|install|compile)|gradlew?\ (?:.*\ )?(?:build|assemble)|cmake
|docker\ (?:buildx\ )?build|docker-compose\ build|python3?\ -m\ build|hatch\ build|poetry\ build|uv\ build|flit\ build
|maturin|turbo\ (?:run\ )?build|lerna\ run\ build|nx\ build
|(?:npm|pnpm|yarn|make|just)\ (?:run(?:-script)?\ )?(?:\w*:)?build\b[\w:-]*
"""
_RUN = r"""
vite|next\ (?:dev|start)|nodemon|ts-node(?:-dev)?|artisan\ (?:serve|queue:\S+|horizon)|php\ -S|uvicorn|gunicorn
|flask\ run|manage\.py\ runserver|go\ run|cargo\ run|docker(?:-|\ )compose\ up|webpack(?:-dev-server|\ serve)
"""
_BY_RUNS = tuple(
    (purpose, re.compile(rf"(?:^|[\s(/])(?:{runs})(?=$|[\s)])", re.VERBOSE))
    for purpose, runs in ((Purpose.TEST, _TEST), (Purpose.LINT, _LINT), (Purpose.BUILD, _BUILD), (Purpose.RUN, _RUN))
)
_SHELL = re.compile(r"\|\||&&|[;|&]")
_ASIDE = re.compile(
    r"\s*(?:sudo\ )?(?:\#|(?:echo|printf|cd|mkdir|rm|cp|mv|export|curl|wget|git|if|fi|then|else|for|done|test"
    r"|\[)(?:\s|$)"
    r"|(?:python3?\ -m\ )?(?:uv\ )?(?:pip3?|pipx|npm|pnpm|yarn|bun|composer|apt|apt-get|apk|gem|cargo|go|brew|poetry"
    r"|uv|pdm"
    r"|corepack|global)\ (?:-\S+\ )*(?:install|add|ci|i|require|update|get|sync|global|remove|upgrade|download|mod)\b)",
    re.VERBOSE,
)
"""Parts of a line that make ready for what it is about."""

_BY_NAME = (
    (
        Purpose.TEST,
        re.compile(r"(?:^|[:_.-])(?:tests?|spec|e2e|unit|integration|coverage|phpunit|pest|pytest)(?=$|[:_.-])"),
    ),
    (
        Purpose.LINT,
        re.compile(
            r"(?:^|[:_.-])(?:lint\w*|check|style|format\w*|fmt|cs|cs-fix|stan|phpstan|psalm|analy[sz]e|static|types?|"
            r"typecheck|mypy|eslint|prettier|clippy|vet|pint|ruff)(?=$|[:_.-])"
        ),
    ),
    (
        Purpose.BUILD,
        re.compile(r"(?:^|[:_.-])(?:build|compile|bundle|dist|package|assemble|image|prod(?:uction)?|all)(?=$|[:_.-])"),
    ),
    (Purpose.RUN, re.compile(r"(?:^|[:_.-])(?:dev|start|serve\w*|up|run|watch|preview|hot)(?=$|[:_.-])")),
)


def purpose_of(name: str, runs: str = "") -> Purpose:
    """What a script is for. Its name says more than what it runs, as that may do several things."""
    by_name = next((purpose for purpose, pattern in _BY_NAME if pattern.search(name)), None)
    return by_name or purpose_of_line(runs)


def purpose_of_line(line: str) -> Purpose:
    """What a line of a shell is for, by the first command in it that tells."""
    for part in _SHELL.split(line[:500]):
        if not _ASIDE.match(part):
            for purpose, pattern in _BY_RUNS:
                if pattern.search(part):
                    return purpose
    return Purpose.OTHER
