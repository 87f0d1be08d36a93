"""The readers of manifests: what each finds and where, and that nothing makes one raise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.survey.facts import Manifest, Purpose
from socreates_lsp.survey.json_lines import read_json
from socreates_lsp.survey.manifests import is_ci, is_manifest, read_manifest
from socreates_lsp.survey.purposes import purpose_of, purpose_of_line
from socreates_lsp.survey.where import BrokenError

NAMES = (
    "composer.json", "package.json", "pyproject.toml", "requirements.txt", "Cargo.toml", "go.mod", "pom.xml",
    "build.gradle", "Dockerfile", "docker-compose.yml", "Makefile", "justfile", "pnpm-workspace.yaml", "lerna.json",
    ".github/workflows/ci.yml", ".gitlab-ci.yml",
)  # fmt: skip
PIECES = (
    '{"require": {"a/b": "*"}, "scripts": [1, {"x": null}], "autoload": {"psr-4": {"A": ["b", 3]}}}', '"', "{", "}",
    "[",
    "[project]\ndependencies = ['a', 3]\n", "[tool.poetry.dependencies]\na = {path = 3}\n", "x = [[1], [2]]\n",
    "<project><dependencies><dependency><artifactId>a</artifactId></dependency></dependencies></project>", "<", "&a;",
    "FROM a AS b\n", "FROM b\\\n", "RUN <<X\n", "USER root\n",
    "jobs:\n  a:\n    steps:\n      - run: |\n          pytest\n",
    "services:\n  a:\n    image: b\n", "- a\n", "  b: [*x]\n", "&x ", "all: a b\n\t@echo\n",
    "require (\n a v1 // indirect\n",
    "\ud800", "\x00", "\u202e", "é", "\r", "\r\n", "\t", "'", "#", ":", "1" * 30, "true", "null",
)  # fmt: skip


@given(st.sampled_from(NAMES), st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=12))
def test_no_reader_ever_raises_and_every_place_holds_its_words(name: str, pieces: list[str]) -> None:
    content = "".join(pieces)
    manifest = read_manifest(name, content)
    lines = content.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for place in places(manifest):
        assert place.path == name
        if place.line is not None:
            assert "".join(place.quote.split()) in "".join(lines[place.line - 1].split())


def places(manifest: Manifest) -> list[object]:
    groups = (manifest.facts, manifest.dependencies, manifest.commands, manifest.mappings, manifest.members)
    return [one.place for group in (*groups, manifest.images, manifest.entries, manifest.risks) for one in group]


@given(st.recursive(st.none() | st.booleans() | st.text(), lambda it: st.lists(it) | st.dictionaries(st.text(), it)))
def test_json_is_read_as_python_reads_it(value: object) -> None:
    import json

    def plain(node: object) -> object:
        inner = node.value  # type: ignore[attr-defined]
        if isinstance(inner, dict):
            return {key: plain(one) for key, one in inner.items()}
        if isinstance(inner, list):
            return [plain(one) for one in inner]
        return json.loads(inner) if node.plain else inner  # type: ignore[attr-defined]

    assert plain(read_json(json.dumps(value, indent=1))) == value


@pytest.mark.parametrize(
    ("text", "line"), [('{\n"a": }', 2), ('{"a": 1\n,\n"b" 2}', 3), ("[" * 200, 1), ("", 1), ("{}\n{}", 2), ("nope", 1)]
)
def test_broken_json_tells_its_line(text: str, line: int) -> None:
    with pytest.raises(BrokenError) as found:
        read_json(text)
    assert found.value.line == line


def told(name: str, content: str) -> Manifest:
    manifest = read_manifest(name, content)
    assert manifest.problem == ""
    return manifest


def test_package_json() -> None:
    manifest = told(
        "web/package.json",
        '{\n "name": "web",\n "private": true,\n "scripts": {\n  "build": "vite build",\n  "prepare": "husky"\n },\n'
        ' "dependencies": {\n  "vue": "^3.0.0",\n  "mine": "workspace:*",\n  "any": "*",\n  "gh": "user/repo"\n },\n'
        ' "workspaces": ["packages/*"]\n}\n',
    )
    assert [(one.name, one.bound, one.local, one.place.line) for one in manifest.dependencies] == [
        ("vue", True, False, 9),
        ("mine", True, True, 10),
        ("any", False, False, 11),
        ("gh", False, False, 12),
    ]
    assert [(one.call, one.purpose, one.place.line) for one in manifest.commands] == [
        ("npm run build", Purpose.BUILD, 5)
    ]
    assert [one.value for one in manifest.members] == ["packages/*"]
    assert not manifest.library


def test_pyproject_of_both_kinds() -> None:
    manifest = told(
        "pyproject.toml",
        '[project]\nname = "x"\nrequires-python = ">=3.11"\ndependencies = [\n  "a>=1",\n  "b[c]",\n]\n'
        '[project.scripts]\nrun-x = "x:main"\n[dependency-groups]\ntest = ["pytest"]\n'
        '[tool.poetry.dependencies]\npython = "^3.11"\nd = "^1"\ne = {path = "../e"}\n[tool.pytest.ini_options]\n'
        'addopts = "-q"\n',
    )
    found = [(one.name, one.version, one.dev, one.bound, one.place.line) for one in manifest.dependencies]
    assert found == [
        ("a", ">=1", False, True, 5),
        ("b", "", False, False, 6),
        ("pytest", "", True, False, 11),
        ("d", "^1", False, True, 14),
        ("e", "../e", False, True, 15),
    ]
    assert [(one.place.line, one.place.quote) for one in manifest.entries] == [(9, "run-x")]
    assert [(one.call, one.place.line) for one in manifest.commands] == [("pytest", 16)]


def test_cargo_go_and_gradle() -> None:
    cargo = told(
        "Cargo.toml",
        '[package]\nname = "x"\n[dependencies]\na = "1"\nb = { git = "https://example.org/b" }\nc.workspace = true\n'
        "[target.'cfg(unix)'.dependencies.d]\nversion = \"*\"\n",
    )
    assert [(one.name, one.bound, one.managed, one.place.line) for one in cargo.dependencies] == [
        ("a", True, False, 4),
        ("b", False, False, 5),
        ("c", True, True, 6),
        ("d", False, False, 7),
    ]
    go = told("go.mod", "module m\n\ngo 1.23\n\nrequire (\n\ta v1.0.0\n\tb v2.0.0 // indirect\n)\nreplace a => ../a\n")
    assert [(one.name, one.place.line) for one in go.dependencies] == [("a", 6)]
    assert [(one.words, one.place.line) for one in go.risks] == [(("a", "../a"), 9)]
    gradle = told("build.gradle", "dependencies {\n  implementation 'g:a:1.+'\n  testImplementation(\"g:b\")\n}\n")
    found = [(one.name, one.dev, one.bound) for one in gradle.dependencies]
    assert found == [("g:a", False, False), ("g:b", True, True)]


def test_a_pom_and_its_entities() -> None:
    pom = told(
        "pom.xml",
        '<project xmlns="http://maven.apache.org/POM/4.0.0">\n<parent><artifactId>p</artifactId></parent>\n'
        "<artifactId>x</artifactId>\n<dependencies>\n<dependency>\n<groupId>g</groupId>\n<artifactId>\n a\n"
        "</artifactId>\n"
        "</dependency>\n</dependencies>\n</project>\n",
    )
    assert [(one.name, one.managed, one.place.line) for one in pom.dependencies] == [("g:a", True, 8)]
    bomb = read_manifest("pom.xml", '<?xml version="1.0"?>\n<!DOCTYPE x SYSTEM "file:///etc/passwd">\n<project/>')
    assert (bomb.problem, bomb.problem_line) == ("it has a document type, which is not read", 2)


@pytest.mark.parametrize(
    ("content", "risks"),
    [
        ("FROM a:1\nUSER app\n", []),
        ("FROM a:1\n", [1]),
        ("FROM a\nUSER app\n", [1]),
        ("FROM a:1 AS b\nUSER app\nFROM b\n", []),
        ("FROM a:1 AS b\nUSER app\nFROM c:1\n", [3]),
        ("FROM a:1\nUSER app\nUSER root:root\n", [3]),
        ("FROM registry:5000/a\nUSER 10\n", [1]),
        ("FROM a@sha256:00\nUSER 10\n", []),
        ("ARG V=1\nFROM a:${V}\nUSER 10\n", []),
        ("FROM gcr.io/distroless/static:nonroot\n", []),
        ("FROM a:1\nRUN <<EOF\nFROM b\nEOF\nUSER 10\n", []),
        ("# syntax=x\nFROM --platform=x \\\n  a:1\nUSER 10\n", []),
    ],
)
def test_dockerfiles(content: str, risks: list[int]) -> None:
    assert [one.place.line for one in told("Dockerfile", content).risks] == risks


def test_workflows_and_gitlab() -> None:
    workflow = told(
        ".github/workflows/ci.yml",
        "name: CI\non: [push]\njobs:\n  test:\n    steps:\n      - uses: a/b@main\n      - run: |\n          npm ci\n"
        "          npm test\n      - run: ruff check .\n",
    )
    assert [(one.call, one.purpose, one.place.line, one.job) for one in workflow.commands] == [
        ("npm test", Purpose.TEST, 9, "test"),
        ("ruff check .", Purpose.LINT, 10, "test"),
    ]
    assert [one.place.line for one in workflow.risks] == [6]
    assert [(one.value, one.place.line) for one in workflow.facts if one.key == "trigger"] == [("push", 2)]
    gitlab = told(".gitlab-ci.yml", "stages: [a]\n.base:\n  script: pytest\nunit:\n  script:\n    - pytest -q\n")
    assert [(one.call, one.place.line, one.job) for one in gitlab.commands] == [("pytest -q", 6, "unit")]


def test_others_code_with_the_rights_of_the_repository() -> None:
    content = "on: pull_request_target\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n        with:\n"
    content += "          ref: ${{ github.event.pull_request.head.sha }}\n"
    assert [one.place.line for one in told(".github/workflows/x.yml", content).risks] == [7]
    assert told(".github/workflows/x.yml", content.replace("_target", "")).risks == ()


def test_makefiles() -> None:
    make = told(
        "Makefile", ".PHONY: test\nX := 1\ntest: build\n\t@echo go\n\t@pytest -q\nbuild lint:\n\tcc a.c\n%.o: %.c\n"
    )
    assert [(one.call, one.runs, one.purpose, one.place.line) for one in make.commands] == [
        ("make test", "pytest -q", Purpose.TEST, 3),
        ("make build", "cc a.c", Purpose.BUILD, 6),
        ("make lint", "cc a.c", Purpose.LINT, 6),
    ]


@pytest.mark.parametrize(
    ("line", "purpose"),
    [
        ("pip install pytest ruff", Purpose.OTHER),
        ("npm ci && npm test", Purpose.TEST),
        ("vendor/bin/phpunit", Purpose.TEST),
        ("npx tsc --noEmit", Purpose.LINT),
        ("mvn -B install", Purpose.BUILD),
        ("docker compose up -d", Purpose.RUN),
        ("echo pytest", Purpose.OTHER),
    ],
)
def test_what_a_line_is_for(line: str, purpose: Purpose) -> None:
    assert purpose_of_line(line) is purpose


def test_the_name_of_a_script_says_more_than_what_it_runs() -> None:
    assert purpose_of("build", "vitest && tsc") is Purpose.BUILD
    assert purpose_of("latest", "true") is Purpose.OTHER


def test_which_files_are_manifests() -> None:
    assert all(map(is_manifest, NAMES))
    assert is_manifest("deep/er/requirements-dev.txt")
    assert not any(map(is_manifest, ("xcomposer.json", "Dockerfile.dockerignore", "a/.gitlab-ci.yml", "notes.txt")))
    assert is_ci(".circleci/config.yml")
    assert not is_ci("docs/.github/workflows/ci.yml")
