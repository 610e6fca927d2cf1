"""The reference page of plug-ins lists every port with its methods, and every group of entry points."""

import re
from dataclasses import is_dataclass
from inspect import getsource

import pytest

from steelyard import ports
from tests.docs.pages import DOCS, Page
from tests.repo.package import REPOSITORY

PAGE = Page(DOCS / "reference" / "plug-in-ports.md")
PORTS = {
    name: kind
    for name, kind in vars(ports).items()
    if isinstance(kind, type) and kind.__module__ == ports.__name__ and not is_dataclass(kind)
}
HEAD = re.compile(r"^ +(?P<head>(?:async )?def \w+\(.*\) -> .+):$", re.MULTILINE)
GROUP = re.compile(r'\b(?:group=|GROUP = )"(\w+)"')


def test_every_port_has_a_section() -> None:
    assert set(PORTS) <= set(PAGE.headings(3))


@pytest.mark.parametrize("name", PORTS)
def test_every_method_of_a_port_is_shown_as_it_is(name: str) -> None:
    section = PAGE.text.partition(f"\n### {name}\n")[2].partition("\n#")[0].splitlines()

    heads = HEAD.findall(getsource(PORTS[name]))

    assert heads
    assert not [head for head in heads if head not in section]


def test_every_group_of_entry_points_is_listed() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (REPOSITORY / "src").rglob("*.py")]
    used = {group for text in texts for group in GROUP.findall(text)}

    listed = {row[0].strip("`").removeprefix("steelyard.") for row in PAGE.table("Plug-in ports")}

    assert listed == used


def test_every_conformance_suite_that_is_named_is_there() -> None:
    named = re.findall(r"`(tests/[\w./]+)`", PAGE.text)

    assert named
    assert all((REPOSITORY / path).exists() for path in named)
