"""The section Architecture: what the project is, its real tree, namespaces, parts, where it begins. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.review.counting import counted
from socreates_lsp.survey.claims import Claim, span_of
from socreates_lsp.survey.facts import Place
from socreates_lsp.survey.languages import main_languages, name_of
from socreates_lsp.survey.markdown import label, words
from socreates_lsp.survey.tree import told_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.survey.facts import Facts, Folder, Manifest

TREE = "The tree:"
_MOST_FOLDERS = 40
_MOST_PARTS, _MOST_MAPPINGS, _MOST_TESTS, _MOST_SERVICES = 24, 20, 6, 20
_FRAMEWORKS = {
    "laravel/framework": "Laravel", "laravel/lumen-framework": "Lumen", "symfony/framework-bundle": "Symfony",
    "slim/slim": "Slim", "cakephp/cakephp": "CakePHP", "yiisoft/yii2": "Yii", "api-platform/core": "API Platform",
    "codeigniter4/framework": "CodeIgniter", "drupal/core": "Drupal", "drupal/core-recommended": "Drupal",
    "livewire/livewire": "Livewire", "inertiajs/inertia-laravel": "Inertia", "filament/filament": "Filament",
    "react": "React", "vue": "Vue", "svelte": "Svelte", "@angular/core": "Angular", "next": "Next.js", "nuxt": "Nuxt",
    "astro": "Astro", "express": "Express", "fastify": "Fastify", "koa": "Koa", "@nestjs/core": "NestJS",
    "@sveltejs/kit": "SvelteKit", "solid-js": "Solid", "electron": "Electron", "react-native": "React Native",
    "django": "Django", "flask": "Flask", "fastapi": "FastAPI", "starlette": "Starlette", "aiohttp": "aiohttp",
    "celery": "Celery", "sqlalchemy": "SQLAlchemy", "pygls": "pygls", "click": "Click", "typer": "Typer",
    "github.com/gin-gonic/gin": "Gin", "github.com/labstack/echo/v4": "Echo", "github.com/gofiber/fiber/v2": "Fiber",
    "github.com/go-chi/chi/v5": "chi", "github.com/spf13/cobra": "Cobra", "google.golang.org/grpc": "gRPC",
    "actix-web": "Actix Web", "axum": "axum", "rocket": "Rocket", "tokio": "Tokio", "clap": "clap",
    "org.springframework.boot:spring-boot-starter-web": "Spring Boot", "io.quarkus:quarkus-core": "Quarkus",
    "org.springframework.boot:spring-boot-starter": "Spring Boot",
}  # fmt: skip
"""What many projects are built on, by the name of the package."""


def architecture(facts: Facts) -> list[Claim]:
    """All claims of the section."""
    return [
        *_size(facts),
        *_focus(facts),
        *_identities(facts),
        *_built_on(facts),
        *_parts(facts),
        *_mappings(facts),
        *_entries(facts),
        *_services(facts),
        *_tree(facts),
        *_tests(facts),
        *_aside(facts),
    ]


def _size(facts: Facts) -> Iterator[Claim]:
    tree = facts.tree
    if not tree.files:
        yield Claim("No files that are not ignored: there is nothing to survey.", (Place("./"),))
        return
    yield Claim(f"{counted(tree.files, 'file')}, {_human(tree.size)}: {_languages(tree, 5)}.", (Place("./"),))


def _focus(facts: Facts) -> Iterator[Claim]:
    if facts.matching:
        yield Claim(
            "Named like the focus: " + ", ".join(words(path) for path in facts.matching) + ".",
            tuple(Place(path) for path in facts.matching[:3]),
        )


def _identities(facts: Facts) -> Iterator[Claim]:
    """What the projects at the top say of themselves: their name, version, in a sentence, what they need to run."""
    for manifest in facts.manifests:
        name = manifest.fact("name")
        if manifest.folder or name is None or manifest.kind == "GitHub Actions":
            continue
        version, description = manifest.fact("version"), manifest.fact("description")
        says = f", version {words(version.value, 40)}" if version else ""
        says += f": {words(description.value, 200)}" if description else ""
        places = [name.place, *([version.place] if version else []), *([description.place] if description else [])]
        yield Claim(f"{manifest.kind}: {words(name.value)}{says}", tuple(places))
        for one in manifest.facts:
            if one.key == "runtime":
                yield Claim(f"It runs on {words(one.value, 60)}", (one.place,), depth=1)
            elif one.key in {"type", "parent", "packageManager"}:
                said = {"type": "Its type is", "parent": "Its parent is", "packageManager": "Installed with"}[one.key]
                yield Claim(f"{said} {words(one.value, 60)}", (one.place,), depth=1)


def _built_on(facts: Facts) -> Iterator[Claim]:
    seen: set[str] = set()
    for manifest in facts.manifests:
        for one in manifest.dependencies:
            framework = _FRAMEWORKS.get(one.name.lower())
            if framework and framework not in seen and not one.dev:
                seen.add(framework)
                yield Claim(f"Built on {framework} ({words(one.name)} {words(one.version, 40)})", (one.place,))


def _parts(facts: Facts) -> Iterator[Claim]:
    """The packages of a repository of several."""
    for manifest in facts.manifests:
        if manifest.members:
            members = [one for one in manifest.members if one.value.strip("./")]
            if not members:
                continue
            named = ", ".join(words(one.value, 60) for one in members[:12])
            rest = f" and {len(members) - 12} more" if len(members) > 12 else ""
            places = span_of([one.place for one in members[:12]])
            yield Claim(f"A workspace of {manifest.kind} with the packages in {named}{rest}", places)
    parts = [one for one in facts.manifests if one.folder and one.fact("name") and not one.path.startswith(".")]
    if len(parts) < 2:
        return
    yield Claim(f"{len(parts)} packages below the root:", heading=True)
    for manifest in parts[:_MOST_PARTS]:
        name, version, description = (manifest.fact(key) for key in ("name", "version", "description"))
        assert name is not None, "parts have a name"
        says = f" {words(version.value, 30)}" if version else ""
        says += f": {words(description.value, 100)}" if description else ""
        yield Claim(f"{words(name.value)}{says}", (name.place,))
    if len(parts) > _MOST_PARTS:
        yield Claim(f"and {len(parts) - _MOST_PARTS} more", tuple(Place(one.path) for one in parts[_MOST_PARTS:][:2]))


def _mappings(facts: Facts) -> Iterator[Claim]:
    mappings = [one for manifest in facts.manifests for one in manifest.mappings]
    if not mappings:
        return
    yield Claim("Namespaces (PSR-4):", heading=True)
    for one in mappings[:_MOST_MAPPINGS]:
        base = one.place.path.rpartition("/")[0]
        folder = "/".join(filter(None, (base, one.folder)))
        there = not folder or any(path.startswith(f"{folder}/") for path in facts.paths)
        missing = "" if there else ", a folder that is not there"
        use = " (development)" if one.dev else ""
        shown = words(one.prefix) if one.prefix else "the root namespace"
        yield Claim(f"{shown} → {words(f'{folder}/' if folder else './')}{missing}{use}", (one.place,))


def _entries(facts: Facts) -> Iterator[Claim]:
    entries = [one for manifest in facts.manifests for one in manifest.entries]
    if not entries and not facts.entries:
        return
    yield Claim("Where it begins:", heading=True)
    for one in facts.entries:
        yield Claim(f"{words(one.place.path)}: {_spoken(one.what)}", (one.place,))
    for one in entries[:_MOST_PARTS]:
        yield Claim(f"{words(one.place.quote or one.place.path)}: {_spoken(one.what)}", (one.place,))


def _spoken(what: str) -> str:
    return what.replace("`", "")


def _services(facts: Facts) -> Iterator[Claim]:
    images = [(manifest, one) for manifest in facts.manifests for one in manifest.images]
    services = [one for manifest in facts.manifests for one in manifest.facts if one.key == "service"]
    if images or services:
        yield Claim("Containers:", heading=True)
    known = {one.name for _, one in images}
    for one in services[:_MOST_SERVICES]:
        if one.value not in known:
            yield Claim(f"Service {words(one.value, 60)}, built here", (one.place,))
    for manifest, one in images[:_MOST_SERVICES]:
        what = "Service" if manifest.kind == "Compose" else "Stage" if one.name else "Built"
        name = f" {words(one.name, 60)}" if one.name else ""
        yield Claim(f"{what}{name} from {words(one.image, 80)}", (one.place,))


def _tree(facts: Facts) -> Iterator[Claim]:
    folders = told_folders(facts.tree, _MOST_FOLDERS)
    if not folders:
        return
    yield Claim(TREE, heading=True)
    for one in folders:
        rest = f", {counted(one.hidden, 'more folder')}" if one.hidden else ""
        if not one.folder.path:
            yield Claim(f"{label(Place('./'))} {counted(one.hidden, 'more folder')}")
            continue
        main = main_languages(one.folder.languages, 2)
        tells = main and 10 * main[0][1] >= one.folder.files
        languages = f" ({_languages(one.folder, 2)})" if tells else ""
        says = f"{counted(one.folder.files, 'file')}{languages}{rest}"
        yield Claim(f"{label(Place(one.folder.path))} {says}", depth=one.depth)


def _tests(facts: Facts) -> Iterator[Claim]:
    if not facts.tests:
        return
    yield Claim("Tests:", heading=True)
    for one in facts.tests[:_MOST_TESTS]:
        if one.place.path.endswith("/"):
            yield Claim(f"{counted(int(one.what.replace(',', '')), 'source')} in {words(one.place.path)}", (one.place,))
        elif one.what:
            beside = counted(int(one.what.replace(",", "")), "file")
            yield Claim(f"{beside} beside what they test, such as {words(one.place.path)}", (one.place,))
        else:
            yield Claim("within the sources", (one.place,))
    if len(facts.tests) > _MOST_TESTS:
        rest = facts.tests[_MOST_TESTS:]
        yield Claim(f"and {counted(len(rest), 'more folder')}", tuple(one.place for one in rest[:2]))


def _aside(facts: Facts) -> Iterator[Claim]:
    for one in facts.vendored:
        yield Claim(
            f"{words(one.place.path)} holds dependencies ({one.what} files), which were not surveyed", (one.place,)
        )


def _languages(folder: Folder, most: int) -> str:
    return ", ".join(f"{name_of(language)} {count:,}" for language, count in main_languages(folder.languages, most))


def _human(size: int) -> str:
    return f"{size / 1e3:,.0f} kB" if size < 1_000_000 else f"{size / 1e6:,.1f} MB"


def kinds_of(manifests: tuple[Manifest, ...]) -> set[str]:
    """The kinds of manifests that there are."""
    return {one.kind for one in manifests}
