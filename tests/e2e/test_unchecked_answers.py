"""A run has no result if more than 5 % of its answers could not be checked."""

import pytest

from steelyard.store.run.run_store import open_run
from tests.e2e.lab import RUN, Lab, numbered, small_set

UNCHECKABLE = """
[[cases]]
id = "uncheckable-{number}"
prompt = "Say yes."
"""
REASON = "text needs at least one of the settings"


def write_set(lab: Lab, *, good: int, uncheckable: int) -> None:
    """Write a set with cases that nothing can check, since they demand nothing."""
    path = small_set(lab.folder, numbered(good))
    more = "".join(UNCHECKABLE.format(number=number) for number in range(uncheckable))
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")


def test_a_run_with_too_many_unchecked_answers_ends_with_3(lab: Lab) -> None:
    write_set(lab, good=2, uncheckable=24)

    shown = lab.run("small.toml")

    headline = "No result: 24 of 26 samples could not be checked (case uncheckable-"
    assert shown.code == 3
    assert shown.out.startswith(headline)
    assert "24 errored" in shown.out
    assert lab.report()["unchecked"]["unchecked"] == 24
    assert lab.report()["unchecked"]["samples"] == 26
    assert REASON in lab.report()["unchecked"]["reason"]


@pytest.mark.parametrize("style", ["text", "markdown", "html"])
def test_reports_open_with_the_headline(lab: Lab, style: str) -> None:
    write_set(lab, good=2, uncheckable=1)
    lab.run("small.toml")

    shown = lab.typed("report", RUN, "--format", style).out

    headline = shown.index("No result: 1 of 3 samples could not be checked")
    assert headline < shown.index("errored")


def test_no_headline_is_shown_up_to_five_percent(lab: Lab) -> None:
    write_set(lab, good=19, uncheckable=1)

    shown = lab.run("small.toml")

    assert shown.code == 0
    assert "No result" not in shown.out
    assert "unchecked" not in lab.report()


def test_a_report_without_any_estimate_has_only_the_headline(lab: Lab) -> None:
    write_set(lab, good=0, uncheckable=1)

    shown = lab.run("small.toml")

    assert shown.code == 3
    assert "No result: 1 of 1 sample could not be checked" in shown.out
    assert "No subject has a pass rate" not in shown.out


def test_answers_that_never_came_are_no_unchecked_ones(lab: Lab) -> None:
    small_set(lab.folder, numbered(2))
    (lab.folder / "answers.jsonl").write_text(
        '{"model": "a/b", "case": "case-00", "text": "yes"}\n', encoding="utf-8"
    )

    shown = lab.run("small.toml", "--replay", "answers.jsonl")

    assert "No result" not in shown.out
    assert open_run(lab.folder / RUN).manifest.recorded
