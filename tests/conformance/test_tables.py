"""Every table of plug-ins: the same formats for every kind of record."""

import pytest

from steelyard.errors import UnknownName
from steelyard.plugins import COMPARISON_RENDERERS, FORMAT_OF_SUFFIX, GATE_RENDERERS, REPORT_RENDERERS, load

TABLES = {"report": REPORT_RENDERERS, "comparison": COMPARISON_RENDERERS, "gate": GATE_RENDERERS}


@pytest.mark.parametrize("kind", TABLES)
def test_text_json_and_markdown_are_there_for_every_kind_of_record(kind: str) -> None:
    assert {"text", "json", "markdown"} <= set(TABLES[kind])
    assert set(TABLES[kind]) <= set(FORMAT_OF_SUFFIX.values())


@pytest.mark.parametrize("kind", TABLES)
def test_a_misspelt_name_is_answered_with_the_nearest(kind: str) -> None:
    with pytest.raises(UnknownName, match="unknown format 'markdwon'; did you mean markdown"):
        load(TABLES[kind], "markdwon", group="formats")
