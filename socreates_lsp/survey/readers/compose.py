"""``docker-compose.yml`` and ``compose.yaml`` (docs.docker.com/reference/compose-file)."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Fact, Image, Manifest, Warned
from socreates_lsp.survey.readers.dockerfile import pinned
from socreates_lsp.survey.yaml_lines import read_yaml

if TYPE_CHECKING:
    from socreates_lsp.survey.where import Lines

_MOST = 200
"""Services that are read."""


def read(lines: Lines) -> Manifest:
    """Raises BrokenError."""
    facts: list[Fact] = []
    images: list[Image] = []
    risks: list[Warned] = []
    for name, service in islice(read_yaml(lines.content).get("services").pairs(), _MOST):
        facts.append(Fact("service", name, lines.place(service.line, name)))
        image = service.get("image")
        if image.text:
            place = lines.place(image.line, image.text)
            built = service.get("build").is_there
            images.append(Image(image.text, place, name, built or pinned(image.text)))
            if not images[-1].pinned:
                sentence = "the image {0} of the service {1} has no fixed tag"
                risks.append(Warned(sentence, (image.text, name), place))
        privileged = service.get("privileged")
        if privileged.text == "true":
            place = lines.place(privileged.line, "privileged")
            risks.append(Warned("the service {0} runs privileged", (name,), place))
    return Manifest(lines.path, "Compose", facts=tuple(facts), images=tuple(images), risks=tuple(risks))
