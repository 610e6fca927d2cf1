"""The pages list the tricks that get a pass from shared tests: all that are planted, and no others."""

from collections import defaultdict

import pytest

from tests.checks.collection import NAMES
from tests.checks.forms.tests.answers import Planted
from tests.checks.forms.tests.collection import AVOIDABLE, UNSTOPPABLE
from tests.checks.forms.tests.tricks.careless import Careless
from tests.checks.toolchains.rust.forgeries import FORGED as FORGED_RUST
from tests.docs.pages import DOCS, Page

OTHERS, RUST = (Page(DOCS / "how-to" / f"check-{name}.md") for name in ("any-language", "rust"))
IN_ONE_PROCESS = OTHERS.table_after("These forgeries are known to work")
BY_A_DOOR = OTHERS.table_after("if the tests leave a door open")


def by_language(rows: list[list[str]]) -> dict[str, set[str]]:
    """Return the tricks of each language; a row may name several of both."""
    found = defaultdict[str, set[str]](set)
    for languages, tricks, *_ in rows:
        for language in languages.split(", "):
            found[language] |= set(tricks.split("; "))
    return found


@pytest.mark.parametrize(
    ("rows", "planted"), [(IN_ONE_PROCESS, UNSTOPPABLE), (BY_A_DOOR, AVOIDABLE)], ids=["process", "door"]
)
def test_the_page_lists_what_is_planted_in_each_language(
    rows: list[list[str]], planted: tuple[Planted, ...] | tuple[Careless, ...]
) -> None:
    expected = defaultdict[str, set[str]](set)
    for trick in planted:
        expected[NAMES[trick.recipe]].add(trick.name)

    assert by_language(rows) == expected


def test_the_page_on_rust_lists_what_is_planted() -> None:
    rows = RUST.table_after("These forgeries are known to work")

    assert [trick for trick, _ in rows] == [planted.what for planted in FORGED_RUST]
