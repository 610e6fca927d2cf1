"""Edges of comparison: exact steps, lonely cases and changed ones."""

from pathlib import Path

import pytest

import steelyard
from tests.commands import Json, Shown, strict_json, typed, written
from tests.input.scoring import report_of

SCORES = "model,case,attempt,passed,score\n"
DIGESTS = "model,case,attempt,digest,passed\n"


def compared(
    capsys: pytest.CaptureFixture[str], folder: Path, before: str, after: str, *options: str
) -> tuple[Shown, Json]:
    """Score two texts and compare them through the command line."""
    for name, text in (("before", before), ("after", after)):
        typed(capsys, "score", written(folder, text, f"{name}.csv"), "-o", folder / f"{name}.json")
    words = ("--baseline", folder / "before.json", "--current", folder / "after.json", "--format", "json")
    shown = typed(capsys, "compare", *words, *options)
    return shown, strict_json(shown.out)


@pytest.mark.parametrize(
    ("after", "regressions", "code"),
    [("0.85", 0, 0), ("0.849998", 1, 1), ("0.95", 0, 0)],
)
def test_a_drop_of_exactly_the_threshold_is_no_regression(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], after: str, regressions: int, code: int
) -> None:
    before, current = (f"{SCORES}a,c,0,True,{score}\n" for score in ("0.9", after))

    shown, found = compared(capsys, tmp_path, before, current, "--fail-on-regression", "--threshold", "0.05")

    assert 0.9 - 0.85 > 0.05  # what a float would make of it
    assert (shown.code, len(found["regressions"])) == (code, regressions)


def test_the_rule_looks_at_the_mean_over_attempts_and_not_at_the_best(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = SCORES + "a,c,0,True,1\na,c,1,True,1\n"
    after = SCORES + "a,c,0,True,1\na,c,1,True,0\n"

    _, found = compared(capsys, tmp_path, before, after)

    assert [change["delta"] for change in found["regressions"]] == [-0.5]


def test_the_threshold_is_in_points_and_not_in_percent_of_the_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = SCORES + "a,c,0,True,0.10\n", SCORES + "a,c,0,True,0.06\n"

    _, found = compared(capsys, tmp_path, before, after)

    assert (found["regressions"], found["unchanged"]) == ([], 1)


def test_a_case_in_only_one_report_is_listed_as_new_or_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = (f"{SCORES}a,both,0,True,1\na,{only},0,True,1\n" for only in ("old", "fresh"))

    shown, found = compared(capsys, tmp_path, before, after, "--fail-on-regression")

    assert [case["case"] for case in found["new_cases"]] == ["fresh"]
    assert [case["case"] for case in found["removed_cases"]] == ["old"]
    assert shown.code == 0


@pytest.mark.check_all
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (SCORES + "a,c,0,True,1\na,gone,0,True,1\n", SCORES + "a,c,0,True,1\n"),
        (SCORES + "a,c,0,True,1\na,d,0,True,1\n", SCORES + "a,c,0,True,1\na,d,0,,\n"),
        (DIGESTS + "a,c,0,x,True\na,d,0,x,True\n", DIGESTS + "a,c,0,y,True\na,d,0,x,True\n"),
    ],
    ids=["removed", "errored", "changed"],
)
def test_a_case_without_a_partner_fails_only_with_fail_on_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], before: str, after: str
) -> None:
    tolerant, _ = compared(capsys, tmp_path, before, after, "--fail-on-regression")
    strict, _ = compared(capsys, tmp_path, before, after, "--fail-on-missing")

    assert (tolerant.code, strict.code) == (0, 1)


def test_a_case_whose_digest_changed_is_listed_and_not_paired(tmp_path: Path) -> None:
    before, after = (
        report_of(tmp_path, DIGESTS + f"a,c,0,{digest},{passed}\n")
        for digest, passed in (("x", "True"), ("y", "False"))
    )

    found = steelyard.compare_reports(before, after)

    assert [case.case for case in found.changed_cases] == ["c"]
    assert (found.regressions, found.unchanged) == ((), 0)


def test_a_new_case_alone_fails_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = SCORES + "a,c,0,True,1\n", SCORES + "a,c,0,True,1\na,d,0,False,0\n"

    shown, _ = compared(capsys, tmp_path, before, after, "--fail-on-missing", "--fail-on-regression")

    assert shown.code == 0
