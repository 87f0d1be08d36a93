"""What imported names stand for, as dotted names: ``req`` is ``requests``, ``join`` is ``os.path.join``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile


class Imports:
    """The imports of one file, wherever in it they stand (a function-local import counts too)."""

    def __init__(self, file: ParsedFile) -> None:
        """Read all imports."""
        self.names: dict[str, str] = {}
        reader = _READERS.get(file.language)
        if reader is not None:
            reader(file.root, self.names)

    def modules(self) -> set[str]:
        """Every dotted name that something was imported as."""
        return set(self.names.values())


def _python(root: SgNode, names: dict[str, str]) -> None:
    for node in root.find_all(any=[{"kind": "import_statement"}, {"kind": "import_from_statement"}]):
        module = node.field("module_name")
        prefix = "" if module is None else module.text().rstrip(".") + "."
        for item in node.field_children("name"):
            if item.kind() == "aliased_import":
                name, alias = item.field("name"), item.field("alias")
                if name is not None and alias is not None:
                    names[alias.text()] = prefix + name.text()
            elif module is None:
                names[item.text()] = item.text()
                names[item.text().partition(".")[0]] = item.text().partition(".")[0]
            else:
                names[item.text()] = prefix + item.text()


def _javascript(root: SgNode, names: dict[str, str]) -> None:
    for node in root.find_all(kind="import_statement"):
        source = node.field("source")
        if source is None:
            continue
        module = _module(source.text())
        for clause in node.find_all(kind="import_clause"):
            for child in clause.named_children():
                if child.kind() == "identifier":
                    names[child.text()] = module
                elif child.kind() == "namespace_import":
                    names[child.named_children()[0].text()] = module
        for item in node.find_all(kind="import_specifier"):
            _bind(names, module, item.field("name"), item.field("alias"))
    for node in root.find_all(pattern="$LEFT = require($SOURCE)", kind="variable_declarator"):
        _required(node, names)
    for node in root.find_all(kind="variable_declarator", has={"field": "value", "pattern": "require($SOURCE)"}):
        _required(node, names)


def _required(node: SgNode, names: dict[str, str]) -> None:
    source = node.get_match("SOURCE")
    target = node.field("name")
    if source is None or target is None or source.kind() != "string":
        return
    module = _module(source.text())
    if target.kind() == "identifier":
        names[target.text()] = module
    for item in target.find_all(kind="shorthand_property_identifier_pattern"):
        _bind(names, module, item, None)
    for item in target.find_all(kind="pair_pattern"):
        _bind(names, module, item.field("key"), item.field("value"))


def _module(literal: str) -> str:
    return literal.strip("'\"`").removeprefix("node:")


def _bind(names: dict[str, str], module: str, name: SgNode | None, alias: SgNode | None) -> None:
    if name is not None:
        names[(alias or name).text()] = f"{module}.{name.text()}"


def _go(root: SgNode, names: dict[str, str]) -> None:
    for node in root.find_all(kind="import_spec"):
        path, alias = node.field("path"), node.field("name")
        if path is not None:
            module = path.text().strip('"`')
            names[_package(module) if alias is None else alias.text()] = module


def _package(path: str) -> str:
    """The name that a Go package most likely has: ``x/y/v2`` is ``y``, ``gopkg.in/yaml.v3`` is ``yaml``."""
    parts = path.split("/")
    last = parts[-2] if len(parts) > 1 and re.fullmatch(r"v\d+", parts[-1]) else parts[-1]
    return re.sub(r"\.v\d+$|^go-|-go$", "", last)


def _java(root: SgNode, names: dict[str, str]) -> None:
    for node in root.find_all(kind="import_declaration"):
        for name in node.named_children():
            if name.kind() == "scoped_identifier" and not node.text().rstrip("; \n").endswith("*"):
                names[name.text().rpartition(".")[2]] = name.text()


def _rust(root: SgNode, names: dict[str, str]) -> None:
    def walk(node: SgNode, prefix: str) -> None:
        kind = node.kind()
        if kind in {"identifier", "scoped_identifier", "self"}:
            full = prefix.removesuffix("::") if kind == "self" else prefix + node.text()
            names[full.rpartition("::")[2]] = full
        elif kind == "use_as_clause":
            path, alias = node.field("path"), node.field("alias")
            if path is not None and alias is not None:
                names[alias.text()] = prefix + path.text()
        elif kind == "scoped_use_list":
            path, items = node.field("path"), node.field("list")
            if items is not None:
                walk(items, prefix + (f"{path.text()}::" if path is not None else ""))
        elif kind == "use_list":
            for child in node.named_children():
                walk(child, prefix)

    for declaration in root.find_all(kind="use_declaration"):
        argument = declaration.field("argument")
        if argument is not None:
            walk(argument, "")


def _php(root: SgNode, names: dict[str, str]) -> None:
    for node in root.find_all(kind="namespace_use_clause"):
        group = next((up for up in node.ancestors() if up.kind() == "namespace_use_declaration"), None)
        prefix = ""
        if group is not None and node.inside(kind="namespace_use_group"):
            head = next((child for child in group.children() if child.kind() == "namespace_name"), None)
            prefix = f"{head.text()}\\" if head is not None else ""
        parts = node.named_children()
        if parts:
            full = prefix + parts[0].text().lstrip("\\")
            names[parts[-1].text() if len(parts) > 1 else full.rpartition("\\")[2]] = full


_READERS: dict[str, Callable[[SgNode, dict[str, str]], None]] = {
    "python": _python,
    "javascript": _javascript,
    "typescript": _javascript,
    "tsx": _javascript,
    "go": _go,
    "java": _java,
    "rust": _rust,
    "php": _php,
}
