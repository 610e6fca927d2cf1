"""The page on agents says what the code does."""

import json

from steelyard.model.execution import GIB
from steelyard.providers.command.egress.allow_list import allow_list
from steelyard.providers.command.egress.log import MOST_ENTRIES, EgressVerdict
from steelyard.providers.command.egress.proxy import Bounds
from steelyard.providers.command.options import OPTIONS
from tests.docs.pages import DOCS, Page

AGENTS = Page(DOCS / "how-to" / "evaluate-an-agent.md")


def test_it_lists_every_option() -> None:
    assert [row[0].strip("`") for row in AGENTS.table("Options")] == list(OPTIONS)


def test_it_lists_every_verdict_and_the_bounds_of_the_proxy() -> None:
    listed = {row[0].strip("`"): row[1] for row in AGENTS.table_after("| `verdict`")}
    bounds = Bounds()

    assert set(listed) == set(EgressVerdict)
    assert listed["over_limit"].endswith(
        f"more than {bounds.connections} connections at a time, {bounds.requests:,} requests or "
        f"{bounds.total_bytes // GIB} GiB"
    )
    assert f"After {MOST_ENTRIES} different entries" in " ".join(AGENTS.section("The network"))


def test_the_lists_that_it_shows_are_taken() -> None:
    shown = [row[0] for row in AGENTS.table("The network")]
    lists = [text for cell in shown for text in cell.split("`") if text.startswith("[")]

    assert [len(allow_list(json.loads(text)).ports or ()) for text in lists] == [1, 1, 1, 1, 0]
