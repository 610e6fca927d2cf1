"""The reference page of rubrics lists every table and key, every rubric, every part of a judgement."""

from dataclasses import fields

import pytest

from steelyard.metrics.consensus import Disagreement
from steelyard.model.judgement import Judgement, Reading
from steelyard.sources.rubric.read import read_rubric
from steelyard.sources.shipped import shipped_rubrics
from tests.docs.pages import DOCS, Page
from tests.docs.rubric_tables import rows, titles

PAGE = Page(DOCS / "reference" / "rubrics.md")


@pytest.mark.parametrize("title", titles())
def test_every_key_of_a_table_is_listed_with_what_it_means(title: str) -> None:
    assert PAGE.table(title) == rows(titles()[title]), "see tests/docs/rubric_tables.py"


def test_every_shipped_rubric_is_listed() -> None:
    assert {row[0].strip("`") for row in PAGE.table("Shipped rubrics")} == set(shipped_rubrics())


def test_the_weights_of_the_default_rubric_are_listed() -> None:
    listed = {row[0].strip("`"): row[1] for row in PAGE.table("The default rubric")}

    assert listed == {one.id: f"{float(one.weight):.1f}" for one in read_rubric().categories}


@pytest.mark.parametrize(("title", "record"), [("A judgement", Judgement), ("A reading", Reading)])
def test_every_field_of_what_is_kept_is_listed(title: str, record: type) -> None:
    assert [row[0].strip("`") for row in PAGE.table(title)] == [field.name for field in fields(record)]


def test_every_kind_of_disagreement_is_listed() -> None:
    assert {row[0].strip("`") for row in PAGE.table("Disagreement")} == set(Disagreement)
