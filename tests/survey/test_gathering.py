"""What is read off a folder without a model: true, bounded, and within what may be read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import socreates_lsp
from socreates_lsp.survey.claims import Section
from socreates_lsp.survey.report import told_to_model
from tests.survey.reading import lies, lines_of, surveyed
from tests.survey.shop import build


def has(lines: list[str], *parts: str) -> bool:
    return any(all(part in line for part in parts) for line in lines)


def test_the_shop_is_told_as_it_is_and_every_label_holds(root: Path) -> None:
    _, report = surveyed(build(root))
    text = report.markdown()
    assert lies(root, report) == []
    assert [line for line in text.split("\n") if line.startswith("## ")] == [f"## {one.value}" for one in Section]
    architecture = lines_of(report, "Architecture")
    assert has(architecture, "`acme/shop`", "`Orders and invoices.`", "[repo: composer.json:2]")
    assert has(architecture, "PHP ^8.3", "[repo: composer.json:6]")
    assert has(architecture, "Built on Laravel", "[repo: composer.json:7]")
    assert has(architecture, "`Billing\\App\\` → `src/Billing/App/`", "[repo: composer.json:15]")
    assert has(architecture, "[repo: src/Billing/Domain/] 2 files (PHP 2)")
    assert has(architecture, "`public/index.php`", "[repo: public/index.php:3]")
    assert "app/" not in text.replace("src/Billing/App/", "").replace("bootstrap/app", "")
    dependencies = lines_of(report, "Dependencies")
    assert has(dependencies, "`laravel/framework` `^11.0`", "[repo: composer.json:7]")
    assert has(dependencies, "1 for development: `phpunit/phpunit` `^11.0`", "[repo: composer.json:11]")
    risks = lines_of(report, "Risks")
    assert has(risks, "no lock file for `composer.json`")
    assert has(risks, "no tests")
    assert has(risks, "no CI")
    assert has(risks, "`acme/money` is asked for as `*`", "[repo: composer.json:8]")
    assert has(risks, "`php:latest` has no fixed tag", "[repo: Dockerfile:1]")
    assert has(risks, "sets no USER", "[repo: Dockerfile:1]")
    assert has(risks, "`Gone\\` is mapped to `src/Gone/`, where there are no files", "[repo: composer.json:18]")
    commands = lines_of(report, "Commands")
    assert has(commands, "`composer test` runs `phpunit --colors=always`", "[repo: composer.json:22]")
    assert not has(commands, "post-autoload-dump")


def test_documentation_of_what_composer_asks_for_itself_is_a_source(root: Path) -> None:
    facts, report = surveyed(build(root))
    dependencies = lines_of(report, "Dependencies")
    assert has(dependencies, "`About Laravel`", "[docs: vendor/laravel/framework/README.md#about-laravel]")
    assert has(dependencies, "`Rounding`", "[docs: vendor/acme/money/README.md#rounding]")
    assert has(dependencies, "[docs: vendor/acme/money/docs/formats.md#formats]")
    assert "Not asked for" not in report.markdown()
    assert "no heading" not in report.markdown()
    assert not any(path.startswith("vendor/") for path in facts.paths)
    assert [one.detail for one in report.sources() if one.origin == "docs"][:2] == ["Laravel", "About Laravel"]


def test_a_committed_vendor_folder_is_named_and_not_surveyed(root: Path) -> None:
    build(root)
    (root / ".gitignore").unlink()
    facts, report = surveyed(root)
    assert not any(path.startswith("vendor/") for path in facts.paths)
    assert has(lines_of(report, "Architecture"), "`vendor/` holds dependencies (5 files)", "[repo: vendor/]")


def test_this_repository(tmp_path: Path) -> None:
    top = Path(socreates_lsp.__file__).parents[1]
    facts, report = surveyed(top)
    assert lies(top, report) == []
    assert all(one.problem == "" for one in facts.manifests)
    architecture = lines_of(report, "Architecture")
    assert has(architecture, "`socreates-lsp`", "[repo: pyproject.toml:")
    assert has(architecture, "Built on pygls")
    assert has(lines_of(report, "Commands"), "`pytest`", "[repo: pyproject.toml:")
    assert has(lines_of(report, "Dependencies"), "`httpx`", "[repo: pyproject.toml:")


def test_an_empty_folder(root: Path) -> None:
    facts, report = surveyed(root)
    assert facts.tree.files == 0
    assert report.markdown().count("\n## ") == 4
    assert "there is nothing to survey" in report.markdown()
    assert lies(root, report) == []


BROKEN = {
    "composer.json": '{"require": {"a/b": ',
    "package.json": "\x00\x01binary",
    "pyproject.toml": "[project\nname = 1",
    "Cargo.toml": "a = [" * 5000,
    "pom.xml": '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<project><artifactId>&b;</artifactId></project>',
    "compose.yaml": "services: [1, {",
    ".github/workflows/ci.yml": "a: &a [*a, *a]\njobs: {x: {steps: *a}}\n- broken",
    "Makefile": "",
    "go.mod": "module x\nrequire (\n",
}


def test_broken_manifests_are_a_line_each_and_lose_nothing(root: Path) -> None:
    for path, content in BROKEN.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    (root / "requirements.txt").write_text("flask\n")
    _, report = surveyed(root)
    risks = lines_of(report, "Risks")
    for path in BROKEN.keys() - {"go.mod"}:
        assert sum(f"`{path}` could not be read" in line for line in risks) == 1, path
    assert has(risks, "`pom.xml` could not be read: it has a document type", "[repo: pom.xml:1]")
    assert has(risks, "`composer.json` could not be read: it is no JSON", "[repo: composer.json:1]")
    assert has(lines_of(report, "Dependencies"), "`flask` in any version", "[repo: requirements.txt:1]")
    assert lies(root, report) == []


def test_a_manifest_that_is_too_long_is_not_read(root: Path) -> None:
    (root / "package.json").write_text('{"name": "' + "x" * 500_000 + '"}')
    _, report = surveyed(root)
    assert has(lines_of(report, "Risks"), "`package.json` could not be read: it has 500,012 bytes")


def test_links_that_lead_back_and_names_with_markup_harm_nothing(root: Path) -> None:
    (root / "src").mkdir()
    (root / "src" / "round").symlink_to(root)
    odd = "a`b*_[x](javascript:x)\n<img src=x>.py"
    (root / "src" / odd).write_text("if __name__ == '__main__':\n" + "x = 1\n" * 1600)
    (root / "package.json").write_text(
        '{"name": "[x](http://evil.example) ![i](y)", "scripts": {"te\\nst": "`rm` <b>"}, '
        '"dependencies": {"\\ud800": "*"}}'
    )
    facts, report = surveyed(root)
    text = report.markdown()
    text.encode("utf-8")
    assert facts.tree.files == 2
    assert "`[x](http://evil.example) ![i](y)`" in text
    assert "`` `rm` <b> ``" in text
    assert not any(line.startswith("<img") for line in text.split("\n"))


def test_what_may_not_be_read_is_not_read_and_what_is_tracked_like_a_secret_is_named(root: Path) -> None:
    build(root)
    (root / ".env").write_text("KEY=hunter2\n")
    (root / ".env.example").write_text("KEY=\n")
    (root / "secret").mkdir()
    (root / "secret" / "package.json").write_text('{"name": "hidden"}')
    for command in (["init", "-q"], ["add", "-f", "."]):
        subprocess.run(["git", *command], cwd=root, check=True)
    facts, report = surveyed(root, deny=("**/.env", "**/.env.*", "secret/**"))
    text = report.markdown()
    assert facts.secrets == (".env",)
    assert has(lines_of(report, "Risks"), "`.env` is named like a secret, and git tracks it", "[repo: .env]")
    assert "hunter2" not in text
    assert "hidden" not in text
    assert ".env" not in told_to_model(report, 20_000)
    assert "left out" in told_to_model(report, 20_000)


@pytest.mark.parametrize("room", [0, 300, 2000, 12_000])
def test_what_a_model_is_told_fits(root: Path, room: int) -> None:
    _, report = surveyed(build(root))
    told = told_to_model(report, room)
    assert len(told) <= room + 4 * 100
    assert all(section.value in told for section in Section)


def test_the_focus_names_what_is_called_so(root: Path) -> None:
    _, report = surveyed(build(root), "how does billing work?")
    assert has(lines_of(report, "Architecture"), "Named like the focus: `src/Billing/`", "[repo: src/Billing/]")


def test_many_packages_are_summed_up(root: Path) -> None:
    (root / "package.json").write_text('{"name": "top", "workspaces": ["packages/*"]}\n')
    for number in range(120):
        folder = root / "packages" / f"p{number:03}"
        folder.mkdir(parents=True)
        version = "^1.0.0" if number else "^2.0.0"
        (folder / "package.json").write_text(
            f'{{\n "name": "p{number:03}",\n "dependencies": {{\n  "left": "{version}",\n  "p000": "*"\n }}\n}}\n'
        )
    facts, report = surveyed(root)
    risks = lines_of(report, "Risks")
    assert has(risks, "`left` is asked for as", "`^1.0.0`", "`^2.0.0`")
    assert has(risks, "41 more manifests")
    assert not has(risks, "`p000` is asked for as")
    assert len(facts.manifests) == 80
    assert len(report.markdown()) < 20_000
    assert lies(root, report) == []
