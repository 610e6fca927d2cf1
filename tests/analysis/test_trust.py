"""Counting how samples were graded, and refusing reports that are trusted too little."""

from dataclasses import replace

import pytest

from steelyard.analysis.build import build_report
from steelyard.analysis.trust import integrity_counts, require_integrity
from steelyard.errors import InputError
from steelyard.model.options import Errors, ReportOptions
from steelyard.model.outcome import Integrity
from steelyard.model.trust import HoneypotSummary, SubjectIntegrity
from tests.analysis.counted import case, evidence
from tests.analysis.reports import report, subject

SEALED, PARTIAL, OPEN = Integrity.SEALED, Integrity.PARTIAL, Integrity.OPEN
MIXED = (
    case("a", 4, 2)._replace(n_sealed=4, n_error=1),
    case("b", 4, 2)._replace(n_open=3, n_sealed=1),
    case("c", 2, 2),
    case("d", 2, 2)._replace(n_partial=2),
)


def test_samples_are_counted_by_integrity_and_cases_are_named() -> None:
    assert integrity_counts(evidence(*MIXED)) == (
        SubjectIntegrity(
            model="m",
            tier="T0",
            sealed=5,
            partial=2,
            open=3,
            unknown=2,
            partial_cases=("d",),
            open_cases=("b",),
            unknown_cases=("c",),
        ),
    )


def test_unknown_integrity_has_no_counts() -> None:
    assert integrity_counts(evidence(case("a", 4, 2))) == ()


def test_our_own_errors_have_no_integrity_even_if_they_count_as_failures() -> None:
    found = build_report(evidence(MIXED[0]), ReportOptions(errors=Errors.FAIL))

    assert (found.subjects[0].samples, found.integrity[0].samples) == (5, 4)


def test_honeypots_are_in_no_number_but_their_own() -> None:
    plain = build_report(evidence(case("a", 4, 2)), ReportOptions())
    traps = (case("trap", 3, 1), case("other", 2, 0))

    found = build_report(replace(evidence(case("a", 4, 2)), honeypots=traps), ReportOptions())

    assert found.honeypots == (
        HoneypotSummary(model="m", tier="T0", cases=2, samples=5, passed=1, passed_cases=("trap",)),
    )
    assert found.warnings[0].startswith("m (T0): 1 of 5 samples passed honeypots")
    assert "'trap'" in found.warnings[0]
    assert replace(found, honeypots=(), warnings=found.warnings[1:]) == plain


def test_a_subject_with_nothing_but_honeypots_is_there() -> None:
    found = build_report(
        replace(evidence(case("a", 1, 1)), honeypots=(case("t", 1, 0, model="z"),)), ReportOptions()
    )

    assert [(one.model, one.samples, one.coverage.missing) for one in found.subjects] == [
        ("m", 1, 0),
        ("z", 0, 1),
    ]
    assert found.warnings == (
        "z (T0): 1 case without a sample, counted as failures (--missing skip leaves them out)",
    )


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (
            SEALED,
            (
                "m (T0): 3 samples open: 'b'",
                "m (T0): 2 samples partial: 'd'",
                "m (T0): 2 samples of unknown integrity: 'c'",
            ),
        ),
        (PARTIAL, ("m (T0): 3 samples open: 'b'", "m (T0): 2 samples of unknown integrity: 'c'")),
        (OPEN, ("m (T0): 2 samples of unknown integrity: 'c'",)),
    ],
)
def test_samples_with_less_integrity_are_refused_by_the_names_of_their_cases(
    wanted: Integrity, words: tuple[str, ...]
) -> None:
    mixed = build_report(evidence(*MIXED), ReportOptions())

    with pytest.raises(InputError) as refused:
        require_integrity(mixed, wanted, where="the baseline")

    said = str(refused.value).splitlines()
    assert said[0] == f"the baseline: `require_integrity={wanted}`: some samples have less:"
    assert [line.strip() for line in said[1:-1]] == list(words)
    assert "`calls` or `io`" in said[-1]


def test_many_cases_are_cut_short() -> None:
    many = build_report(
        evidence(*(case(f"{n:02}", 1, 1)._replace(n_open=1) for n in range(30))), ReportOptions()
    )

    assert len(many.integrity[0].open_cases) == 20
    with pytest.raises(InputError, match="30 samples open: '00', '01', '02', '03', '04' and more"):
        require_integrity(many, SEALED, where="x")


def test_a_report_of_unknown_integrity_is_refused() -> None:
    with pytest.raises(InputError, match="regrade --all"):
        require_integrity(report(subject()), OPEN, where="old.json")


@pytest.mark.parametrize("wanted", [None, OPEN, PARTIAL, SEALED])
def test_sealed_samples_meet_every_requirement(wanted: Integrity | None) -> None:
    require_integrity(build_report(evidence(MIXED[0]), ReportOptions()), wanted, where="x")


def test_without_a_requirement_nothing_is_refused() -> None:
    require_integrity(report(subject()), None, where="x")


@pytest.mark.parametrize(
    ("cases", "words"),
    [
        (1, "1 sample of unknown integrity: '0'"),
        (5, "5 samples of unknown integrity: '0', '1', '2', '3', '4'"),
        (6, "6 samples of unknown integrity: '0', '1', '2', '3', '4' and more"),
    ],
)
def test_up_to_five_cases_are_named_in_full(cases: int, words: str) -> None:
    graded = case("graded", 1, 1)._replace(n_sealed=1)
    some = build_report(evidence(graded, *(case(str(n), 1, 1) for n in range(cases))), ReportOptions())

    with pytest.raises(InputError) as refused:
        require_integrity(some, SEALED, where="x")

    assert str(refused.value).splitlines()[1].strip() == f"m (T0): {words}"


def test_open_samples_meet_the_requirement_open() -> None:
    found = build_report(evidence(case("a", 3, 1)._replace(n_open=3)), ReportOptions())

    assert (found.integrity[0].open, found.integrity[0].unknown) == (3, 0)
    require_integrity(found, OPEN, where="x")


def test_at_most_twenty_passed_honeypots_are_named_and_an_honest_subject_gets_no_warning() -> None:
    traps = [*(case(f"{n:02}", 2, 2) for n in range(21)), case("z", 1, 0, model="honest")]
    states = [case("a", 1, 1), case("a", 1, 1, model="honest")]

    found = build_report(replace(evidence(*states), honeypots=tuple(traps)), ReportOptions())

    assert [len(one.passed_cases) for one in found.honeypots] == [0, 20]
    assert [line.split(":")[0] for line in found.warnings] == ["m (T0)"]
