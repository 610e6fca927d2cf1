"""Lining up each subject's cases with those it should have answered."""

import pytest

from steelyard.analysis.subjects import subjects
from steelyard.errors import InputError
from steelyard.model.options import Errors, Missing, ReportOptions
from steelyard.model.state import ExpectedCase, SubjectKey
from tests.analysis.counted import case, evidence, lined_up

EXPECTED = frozenset({ExpectedCase(None, "c"), ExpectedCase(None, "gone")})
TWO_MODELS = (case("c1", 1, 1, model="a"), case("c2", 1, 1, model="a"), case("c1", 1, 1, model="b"))


def test_subjects_come_in_order_with_the_cases_of_all() -> None:
    first, second = lined_up(*TWO_MODELS)

    assert (first.key, second.key) == (SubjectKey("a", "T0"), SubjectKey("b", "T0"))
    assert (first.missing, [state.case for state in second.missing]) == ((), ["c2"])
    assert (second.coverage.expected, second.coverage.seen, second.coverage.missing) == (2, 1, 1)


def test_a_missing_case_takes_part_in_means_unless_it_is_skipped() -> None:
    _, counted = lined_up(*TWO_MODELS)
    _, skipped = lined_up(*TWO_MODELS, missing=Missing.SKIP)

    assert [state.case for state in counted.counted] == ["c1", "c2"]
    assert [state.case for state in skipped.counted] == ["c1"]


def test_a_missing_case_has_as_many_failures_as_the_largest_k_needs() -> None:
    (subject,) = lined_up(case("c", 3, 2), expected=EXPECTED, pass_k=(1, 5))

    assert subject.counts == ((3, 2), (5, 0))


def test_a_skipped_case_is_not_counted() -> None:
    (subject,) = lined_up(case("c", 3, 2), expected=EXPECTED, missing=Missing.SKIP)

    assert subject.counts == ((3, 2),)


@pytest.mark.parametrize(("absent", "told"), [(1, "1 expected case has"), (7, "7 expected cases have")])
def test_missing_cases_can_stop_the_report_with_the_first_of_them(absent: int, told: str) -> None:
    expected = frozenset(ExpectedCase(None, f"c{place}") for place in range(absent + 1))

    with pytest.raises(InputError, match=f"m \\(T0\\): {told} no outcome: 'c1'") as refusal:
        lined_up(case("c0", 1, 1), expected=expected, missing=Missing.ERROR)

    assert ("and 2 more" in str(refusal.value)) == (absent == 7)


def test_nothing_missing_stops_nothing() -> None:
    (subject,) = lined_up(case("c", 1, 1), missing=Missing.ERROR)

    assert subject.coverage.is_complete


@pytest.mark.parametrize(
    ("expected", "missing"),
    [
        ({ExpectedCase(None, "c"), ExpectedCase(None, "d")}, [("s", "d")]),
        ({ExpectedCase("s", "c"), ExpectedCase("t", "c")}, [("t", "c")]),
        ({ExpectedCase("t", "d")}, [("t", "d")]),
    ],
)
def test_an_expected_case_belongs_to_the_suite_that_is_said_or_the_only_one(
    expected: set[ExpectedCase], missing: list[tuple[str, str]]
) -> None:
    (subject,) = lined_up(case("c", 1, 1), expected=frozenset(expected))

    assert [(state.suite, state.case) for state in subject.missing] == missing


def test_among_several_suites_a_case_without_one_belongs_to_the_default() -> None:
    expected = frozenset({ExpectedCase(None, "c"), ExpectedCase(None, "d")})

    (subject,) = lined_up(case("c", 1, 1, suite="s"), case("c", 1, 1, suite="t"), expected=expected)

    assert [(state.suite, state.case) for state in subject.missing] == [("default", "d")]
    assert subject.coverage.expected == 3


def test_unknown_cases_and_duplicates_are_counted_and_named() -> None:
    strays = tuple(case(f"x{place:02d}", 1, 1) for place in range(30))
    found = evidence(case("c", 1, 1), unknown=strays, duplicates={SubjectKey("m", "T0"): 4})

    (subject,) = subjects(found, frozenset({ExpectedCase(None, "c")}), ReportOptions())

    assert (subject.coverage.unknown, subject.coverage.duplicate) == (30, 4)
    assert subject.coverage.unknown_cases == tuple(f"x{place:02d}" for place in range(20))
    assert not subject.coverage.is_complete


def test_a_subject_of_nothing_but_unknown_cases_is_there_too() -> None:
    found = evidence(case("c", 1, 1, model="a"), unknown=(case("x", 1, 1, model="b"),))

    _, stray = subjects(found, None, ReportOptions())

    assert (stray.key.model, stray.states, stray.coverage.missing) == ("b", (), 1)


def test_our_own_errors_become_failed_samples_with_a_score_of_0_if_that_is_the_policy() -> None:
    state = case("c", 2, 2)._replace(n_error=3)

    (excluded,), (failed,) = lined_up(state), lined_up(state, errors=Errors.FAIL)

    assert (excluded.total.n, excluded.total.score_n) == (2, 2)
    assert (failed.total.n, failed.total.score_n, failed.total.score_sum) == (5, 5, 2_000_000)
    assert excluded.coverage.errored == failed.coverage.errored == 3


def test_an_error_without_a_cost_is_an_unpriced_sample_where_it_counts_and_others_have_one() -> None:
    priced = case("a", 2, 1)._replace(n_error=3, cost_n=3, n_unpriced=1)
    bare = case("b", 2, 1)._replace(n_error=1)

    (excluded,), (failed,) = lined_up(priced), lined_up(priced, errors=Errors.FAIL)
    (unknown,) = lined_up(bare, errors=Errors.FAIL)

    assert (excluded.total.n_unpriced, failed.total.n_unpriced) == (1, 2)
    assert unknown.total.n_unpriced == 0


def test_errors_have_no_score_where_nothing_has() -> None:
    state = case("c", 2, 2)._replace(n_error=3, score_n=0, score_sum=0)

    (subject,) = lined_up(state, errors=Errors.FAIL)

    assert (subject.total.n, subject.total.score_n) == (5, 0)
