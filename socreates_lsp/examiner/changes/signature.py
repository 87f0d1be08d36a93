"""Parameters and arguments: what a function takes, what a call gives, and whether the two fit. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.examiner.changes.code import matching_bracket, split_at_commas

if TYPE_CHECKING:
    from collections.abc import Sequence

_TYPE_FIRST = frozenset({"java", "c", "cpp", "csharp", "php", "dart", "objective-c", "solidity"})
"""Languages that write the type before the name."""

_ANGLES = _TYPE_FIRST | {"typescript", "tsx", "rust", "kotlin", "swift", "scala"}
_STARRED = frozenset({"python", "ruby", "kotlin", "scala", "bash"})
_REST = re.compile(r"\s*(?:\*|&|vararg\b)|.*\*\s*$")
_MODIFIERS = frozenset(
    {"mut", "ref", "public", "private", "protected", "readonly", "val", "var", "vararg", "inout", "const", "borrowing"}
)
_BY_EQUALS, _BY_COLON = re.compile(r"([A-Za-z_]\w*)\s*=(?!=)"), re.compile(r"([A-Za-z_]\w*)\s*:(?!:)")
_NAMED = {
    **dict.fromkeys(("python", "kotlin", "scala", "julia", "r"), _BY_EQUALS),
    **dict.fromkeys(("ruby", "swift", "csharp", "dart", "php", "elixir"), _BY_COLON),
}
"""How an argument is given by name."""

_NAME = re.compile(r"[A-Za-z_$@][\w$]*")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. ``rest`` takes any number of arguments; ``named`` can only be given by name."""

    name: str
    required: bool
    default: str | None = None
    rest: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call: its name if it has one, its code; ``spread`` stands for any number."""

    name: str | None
    code: str
    spread: bool = False


def parameters(code: str, raw: str, language: str | None) -> tuple[Parameter, ...]:
    """Read what stands between the brackets of a signature; ``code`` and ``raw`` are the same stretch."""
    found: list[Parameter] = []
    named = False
    for start, end in split_at_commas(code, angles=language in _ANGLES):
        part, text = code[start:end], raw[start:end]
        bare = part.strip()
        if bare in {"/", "void"} or _is_receiver(bare):
            continue
        if bare == "*":
            named = True
            continue
        parameter = _parameter(part, text, language)
        found.append(replace(parameter, named=True) if named and not parameter.rest else parameter)
        named = named or (parameter.rest and language == "python")
    return tuple(found)


def _is_receiver(part: str) -> bool:
    return bool(re.match(r"(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?(?:self|cls|this)\s*(?::|$)", part))


def _parameter(code: str, raw: str, language: str | None) -> Parameter:
    if language == "ruby":
        label = re.match(r"\s*(\w+):(.*)", code, re.DOTALL)
        if label:
            value = label[2].strip()
            return Parameter(label[1], required=not value, default=value or None, named=True)
    head, default = _without_default(code, raw, language)
    name = _name(head, language)
    rest = bool(_REST.match(head)) if language in _STARRED else "..." in head
    optional = default is not None or bool(language in {"typescript", "tsx"} and re.match(r"[\w\s$]*\?", head))
    if language == "dart" and re.search(r"[\[{]", head):
        # Optional and named parameters share one pair of brackets, which one part can't tell apart.
        return Parameter(name, required=False, rest=True)
    named = language == "swift" and not head.lstrip().startswith("_")
    return Parameter(name, required=not (rest or optional), default=default, rest=rest, named=named)


def _without_default(code: str, raw: str, language: str | None) -> tuple[str, str | None]:
    if language == "elixir":
        head, mark, _ = code.partition("\\\\")
        return head, raw[len(head) + 2 :].strip() if mark else None
    depth = 0
    for index, character in enumerate(code):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and code[index - 1 : index] not in {"=", "-"}):
            depth -= 1
        elif character == "=" and depth <= 0 and code[index + 1 : index + 2] not in {"=", ">"}:
            return code[:index], " ".join(raw[index + 1 :].split())
    return code, None


def _name(head: str, language: str | None) -> str:
    text = head.strip().lstrip("*&.").strip()
    if text.startswith(("{", "[")):
        return "{" + ",".join(sorted(_NAME.findall(text))) + "}"
    if language in _TYPE_FIRST:
        found = _NAME.findall(re.sub(r"\[[^\]]*\]", "", text))
        return found[-1].lstrip("$") if found else text
    found = [word for word in _NAME.findall(text.partition(":")[0]) if word not in _MODIFIERS]
    if found[:1] == ["_"] and len(found) > 1:
        return found[1]
    return found[0] if found else text


def arguments(code: str, raw: str, language: str | None) -> tuple[Argument, ...]:
    """Read what stands between the brackets of a call; ``code`` and ``raw`` are the same stretch."""
    found: list[Argument] = []
    mark = _NAMED.get(language or "")
    for start, end in split_at_commas(code):
        part, text = code[start:end].strip(), " ".join(raw[start:end].split())
        keyword = mark.match(part) if mark else None
        found.append(Argument(keyword[1] if keyword else None, text, spread=_is_spread(part, language)))
    return tuple(found)


def _is_spread(part: str, language: str | None) -> bool:
    if language == "go":
        return part.endswith("...")
    return part.startswith(("*", "...", "&")) and language not in {"c", "cpp", "rust", "objective-c"}


def call_arguments(code: str, raw: str, name_end: int, language: str | None) -> tuple[Argument, ...] | None:
    """The arguments of the call whose name ends at an offset of a whole text; None if it can't be read."""
    opening = re.compile(r"\s*(?:<[^()<>]*>|::<[^()]*>)?\s*\(").match(code, name_end)
    if opening is None:
        return None
    start = opening.end() - 1
    end = matching_bracket(code, start)
    if end is None:
        return None
    return arguments(code[start + 1 : end], raw[start + 1 : end], language)


def fits(given: Sequence[Argument], taken: Sequence[Parameter]) -> bool:
    """Whether a call can be meant for these parameters: nothing required is missing, nothing is left over."""
    if any(argument.spread for argument in given):
        return True
    positional = [argument for argument in given if argument.name is None]
    slots = [parameter for parameter in taken if not parameter.named and not parameter.rest]
    open_end = any(parameter.rest for parameter in taken)
    if len(positional) > len(slots) and not open_end:
        return False
    filled = {parameter.name for parameter in slots[: len(positional)]}
    known = {parameter.name for parameter in taken if not parameter.rest}
    for argument in given:
        if argument.name is not None:
            if argument.name in filled or (argument.name not in known and not open_end):
                return False
            filled.add(argument.name)
    return all(parameter.name in filled for parameter in taken if parameter.required)


def misplaced(given: Sequence[Argument], old: Sequence[Parameter], new: Sequence[Parameter]) -> str | None:
    """The name of a parameter whose argument, given by position, now goes to another; None if there is none."""
    olds = [parameter.name for parameter in old if not parameter.named and not parameter.rest]
    news = [parameter.name for parameter in new if not parameter.named and not parameter.rest]
    for index, argument in enumerate(given):
        if argument.name is not None or argument.spread:
            return None
        if index >= len(olds) or index >= len(news):
            return None
        if olds[index] != news[index] and (olds[index] in news or news[index] in olds):
            return olds[index]
    return None
