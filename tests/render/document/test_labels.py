from dataclasses import replace

from steelyard.model.options import Missing
from steelyard.render.document.blocks import Name
from steelyard.render.document.labels import Labels, cases_in_means
from tests.analysis.reports import SETTINGS, report, subject


def test_a_subject_is_its_model_until_there_are_tiers() -> None:
    one, two = subject("a", "T0"), subject("a", "T1")

    assert Labels.of(report(one)).subject(one) == (Name("a"),)
    assert Labels.of(report(one, two)).subject(two) == (Name("a"), " in ", Name("T1"))


def test_a_lone_model_may_go_unnamed_in_long_tables() -> None:
    labels = Labels.of(report(subject("a")))

    assert [column.title for column in labels.columns([subject("a")])] == ["model"]
    assert labels.columns([subject("a")], always_model=False) == ()


def test_missing_cases_are_in_the_means_when_they_count_as_failures() -> None:
    patchy = replace(subject(), coverage=replace(subject().coverage, expected=12, seen=9, missing=3))

    assert cases_in_means(patchy, SETTINGS) == 12
    assert cases_in_means(patchy, replace(SETTINGS, missing=Missing.SKIP)) == 9
