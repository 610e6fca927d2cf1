from dataclasses import replace

from steelyard.model.report import Flakiness, SubjectSummary
from steelyard.render.document.samples import flakiness_section
from tests.analysis.reports import report, subject, undefined_subject
from tests.render.document.reading import said

NOTHING = Flakiness(flip_rate=None, icc=None, flaky_fraction=0.0)


def flaky(name: str, flakiness: Flakiness) -> SubjectSummary:
    return replace(subject(name), flakiness=flakiness)


def test_how_far_samples_disagree_is_said_in_words() -> None:
    assert said(flakiness_section(report(subject("a")))) == [
        (
            "flakiness: two samples of the same case disagree 12 % of the time;"
            " 25 % of the cases both passed and failed; ICC 0.70"
        )
    ]


def test_several_subjects_are_named_and_whoever_shows_nothing_is_left_out() -> None:
    steady = Flakiness(flip_rate=0.0, icc=1.0, flaky_fraction=0.0)
    uneven = Flakiness(flip_rate=None, icc=None, flaky_fraction=0.1)

    assert said(flakiness_section(report(flaky("a", steady), flaky("b", uneven), flaky("c", NOTHING)))) == [
        "flakiness of a: none, all samples of a case agree",
        "flakiness of b: 10 % of the cases both passed and failed",
    ]


def test_one_sample_of_each_case_cannot_tell() -> None:
    assert said(flakiness_section(report(flaky("a", NOTHING), flaky("b", NOTHING)))) == [
        "flakiness: needs at least 2 samples of every case"
    ]


def test_without_samples_nothing_is_said() -> None:
    assert flakiness_section(report()).is_empty
    assert flakiness_section(report(replace(undefined_subject(), flakiness=NOTHING))).is_empty
