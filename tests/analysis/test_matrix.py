"""All subjects of one report side by side."""

from dataclasses import replace

import pytest

from steelyard.analysis.matrix import matrix_of
from steelyard.errors import InputError
from tests.analysis.runs import report_of, run

HIGH, MIDDLE, LOW = [(5, 4)] * 20, [(5, 4)] * 18 + [(5, 3)] * 2, [(5, 0)] * 20
THREE = report_of({("low", "T0"): LOW, ("high", "T0"): HIGH, ("middle", "T0"): MIDDLE})


def test_the_best_subject_comes_first_and_places_say_who_is_who() -> None:
    found = matrix_of(THREE)

    assert [one.model for one in found.subjects] == ["high", "middle", "low"]
    assert [(pair.better, pair.worse) for pair in found.pairs] == [(0, 1), (0, 2), (1, 2)]
    assert found.pairs[1].difference.value == pytest.approx(0.8)
    assert found.groups == ((0, 1),)


def test_what_to_draw_next_names_the_leader_and_its_rivals_only() -> None:
    found = matrix_of(THREE)

    assert len(found.next_samples) == 10
    assert {one.model for one in found.next_samples} <= {"high", "middle"}


def test_a_case_that_one_subject_lacks_is_left_out_and_counted() -> None:
    cases = [case for case in THREE.cases if (case.model, case.case) != ("low", "case-003")]

    found = matrix_of(replace(THREE, cases=tuple(cases)))

    assert (found.cases, found.left_out) == (19, 1)


def test_a_case_without_evidence_or_of_another_version_is_left_out() -> None:
    first, second, *others = THREE.cases
    changed = replace(THREE, cases=(replace(first, n=0, c=0), replace(second, digest="other"), *others))

    assert (matrix_of(changed).cases, matrix_of(changed).left_out) == (18, 2)


def test_one_subject_makes_no_matrix() -> None:
    with pytest.raises(InputError, match=r"report.*1"):
        matrix_of(run(HIGH))


def test_subjects_without_a_common_case_make_no_matrix() -> None:
    cases = [case for case in THREE.cases if case.model != "low"]

    with pytest.raises(InputError, match="share no case"):
        matrix_of(replace(THREE, cases=tuple(cases)))


def test_a_right_refusal_is_a_pass_in_a_matrix() -> None:
    report = report_of({("refuses", "T0"): [(5, 0)] * 20, ("complies", "T0"): [(5, 5)] * 20})
    cases = [replace(case, refused=5 - case.c) for case in report.cases]
    names = tuple((case.suite, case.case) for case in cases[:20])

    found = matrix_of(replace(report, cases=tuple(cases), expects_refusal=names))

    assert [(one.model, one.pass_rate) for one in found.subjects] == [("refuses", 1.0), ("complies", 0.0)]
