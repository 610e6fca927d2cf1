"""ARCHITECTURE.md names files and layers that exist."""

import re

from tests.repo.package import REPOSITORY

PAGE = (REPOSITORY / "ARCHITECTURE.md").read_text(encoding="utf-8")
PACKAGE = REPOSITORY / "src" / "steelyard"


def test_every_file_that_the_page_names_is_there() -> None:
    named = re.findall(r"`([a-z_]+(?:/[a-z_]+)*\.py)`", PAGE)

    assert len(named) > 15
    assert [name for name in named if not (PACKAGE / name).is_file()] == []


def test_the_layers_on_the_page_are_those_of_the_contract() -> None:
    contract = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    _, _, listed = contract.partition("layers = [")
    layers = re.findall(r'"([^"]+)"', listed.partition("]")[0])
    _, _, generated = PAGE.partition("```text\n")
    rows = generated.partition("```")[0].splitlines()
    shown = [re.match(r"[a-z]+(?: \| [a-z]+)*", row) for row in rows]

    assert [row[0] for row in shown if row] == layers
