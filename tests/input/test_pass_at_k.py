"""Edges of pass@k: where it is undefined, it is null with a reason and never a stand-in."""

from pathlib import Path

import pytest

import steelyard
from steelyard.model.estimate import Reason
from tests.commands import scored, typed, written
from tests.input.scoring import HEADER, estimate_at, report_of, subject_of, values


def test_pass_at_k_with_k_above_n_is_null_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, HEADER + "a,c,0,True\na,c,1,True\n")

    report = scored(capsys, path, "--pass-k", "1,2,3")

    subject, case = report["subjects"][0], report["cases"][0]
    assert [estimate_at(subject, k)["value"] for k in (1, 2, 3)] == [1.0, 1.0, None]
    assert estimate_at(subject, 3)["reason"] == estimate_at(case, 3)["reason"] == "k_exceeds_n"


@pytest.mark.parametrize("c", [0, 1, 2])
def test_pass_at_k_with_k_above_n_is_refused_by_the_formula_whatever_c(c: int) -> None:
    with pytest.raises(steelyard.SteelyardError, match=r"3.*exceeds.*2"):
        steelyard.pass_at_k(n=2, c=c, k=3)


def test_pass_at_k_without_samples_is_null_with_the_reason(tmp_path: Path) -> None:
    report = report_of(tmp_path, HEADER + "a,c,0,\na,d,0,True\n")

    cases = {case.case: case for case in report.cases}
    assert cases["c"].pass_at_k[0].estimate.value is None
    assert cases["c"].pass_at_k[0].estimate.reason is Reason.NO_SAMPLES
    assert subject_of(report).pass_at_k[0].estimate.value is None


def test_pass_at_k_without_samples_is_refused_by_the_formula() -> None:
    with pytest.raises(steelyard.SteelyardError, match="without samples"):
        steelyard.pass_at_k(n=0, c=0, k=1)


@pytest.mark.parametrize(("n", "c", "k"), [(5, 1, 0), (5, 1, -1), (5, 6, 1), (5, -1, 1)])
def test_k_below_1_more_passes_than_samples_and_negative_passes_are_input_errors(
    n: int, c: int, k: int
) -> None:
    with pytest.raises(steelyard.SteelyardError) as refusal:
        steelyard.pass_at_k(n=n, c=c, k=k)

    assert refusal.value.exit_code == 2


def test_with_unequal_n_a_model_has_pass_at_k_only_if_every_case_has_k_samples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, HEADER + "a,c,0,True\na,c,1,True\na,d,0,True\n")

    estimate = estimate_at(scored(capsys, path, "--pass-k", "2")["subjects"][0], 2)

    assert (estimate["value"], estimate["reason"]) == (None, "k_exceeds_n")
    assert estimate["detail"] == "1 of 2 cases has fewer than 2 samples"


def test_with_unequal_n_the_eligible_cases_keep_their_own_pass_at_k(tmp_path: Path) -> None:
    options = steelyard.ReportOptions(pass_k=(2,))

    report = report_of(tmp_path, HEADER + "a,c,0,True\na,c,1,False\na,d,0,True\n", options=options)

    assert {case.case: values(case.pass_at_k)[2] for case in report.cases} == {"c": 1.0, "d": None}


@pytest.mark.parametrize(("n", "c"), [(3, 1), (49, 1), (999, 998)])
def test_pass_at_1_equals_c_over_n_bit_for_bit(tmp_path: Path, n: int, c: int) -> None:
    rows = "".join(f"a,c,{place},{place < c}\n" for place in range(n))

    subject = subject_of(report_of(tmp_path, HEADER + rows))

    assert values(subject.pass_at_k)[1] == c / n


def test_an_undefined_pass_at_k_is_shown_as_a_dash_and_said_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, HEADER + "a,c,0,True\n")

    shown = typed(capsys, "score", path, "--pass-k", "5", "--details")

    assert "pass@5: not defined, 1 of 1 case has fewer than 5 samples" in shown.out
    assert "nan" not in shown.out.lower()
