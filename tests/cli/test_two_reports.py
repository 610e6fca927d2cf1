"""`compare A B` and `gate A B`: any two sources, other names for models, details on demand."""

from pathlib import Path

import pytest

import steelyard
from tests.commands import typed, written
from tests.logs.small_logs import forgetest

ROWS = "model,case,attempt,passed\n"


def outcomes(folder: Path, name: str, model: str = "m", *, fails: int = 0) -> Path:
    rows = "".join(f"{model},c{case},{sample},{case >= fails}\n" for case in range(40) for sample in range(5))
    return written(folder, ROWS + rows, name)


def test_any_two_of_report_outcomes_and_log_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = outcomes(tmp_path, "before.csv"), outcomes(tmp_path, "after.csv", fails=2)
    report = tmp_path / "report.json"
    typed(capsys, "score", after, "-o", report)

    texts = {
        typed(capsys, "compare", *pair).out
        for pair in ((before, after), (before, report), ("--baseline", before, "--current", report))
    }

    assert len(texts) == 1
    assert "2 of 40 cases dropped: c0 and c1" in texts.pop()
    assert typed(capsys, "gate", before, report).code == 1
    log = forgetest(tmp_path)
    assert (
        "no drop" in typed(capsys, "compare", log, log).out
        or "too close" in typed(capsys, "gate", log, log).out
    )


@pytest.mark.parametrize("command", ["compare", "gate"])
@pytest.mark.parametrize(
    "words", [["one.csv"], ["a.csv", "b.csv", "c.csv"], ["a.csv", "b.csv", "--current", "c.csv"], []]
)
def test_two_reports_are_needed(command: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(capsys, command, *words).code == 2


def test_a_model_may_get_another_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = written(
        tmp_path,
        outcomes(tmp_path, "one.csv", "old").read_text()
        + outcomes(tmp_path, "two.csv", "x").read_text().removeprefix(ROWS),
        "before.csv",
    )
    new = written(
        tmp_path,
        outcomes(tmp_path, "one.csv", "new", fails=3).read_text()
        + outcomes(tmp_path, "two.csv", "x").read_text().removeprefix(ROWS),
        "after.csv",
    )

    unpaired = typed(capsys, "gate", old, new)
    paired = typed(capsys, "gate", old, new, "--model", "old=new")
    unknown = typed(capsys, "gate", old, new, "--model", "older=new")
    merged = typed(capsys, "gate", old, new, "--model", "old=x")

    assert "became worse: new" in paired.out
    assert paired.code == 1
    assert unpaired.code == 4
    assert (unknown.code, merged.code) == (2, 2)
    assert "there are new, old, x" in unknown.err


def test_score_renames_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "score", outcomes(tmp_path, "one.csv"), "--model", "m=GPT 5")

    assert shown.out.startswith("GPT 5 passes 100 %")


def test_details_explain_the_test_in_three_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = outcomes(tmp_path, "before.csv"), outcomes(tmp_path, "after.csv", fails=1)

    short, whole = typed(capsys, "gate", *pair).out, typed(capsys, "gate", *pair, "--details").out

    assert "shuffled" not in short
    assert "Did cases that used to pass stop passing?" in whole
    assert "its parts: all cases together p" in whole


@pytest.mark.parametrize("fails", [0, 1, 40])
def test_the_short_texts_have_at_most_twelve_lines(
    fails: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = outcomes(tmp_path, "before.csv"), outcomes(tmp_path, "after.csv", fails=fails)

    assert len(typed(capsys, "gate", before, after).out.splitlines()) <= 12
    assert len(typed(capsys, "score", after).out.splitlines()) <= 12


def test_an_open_verdict_has_at_most_twelve_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = written(tmp_path, ROWS + "m,a,0,true\nm,b,0,false\n", "few.csv")

    shown = typed(capsys, "gate", few, few)

    assert shown.code == 4
    assert len(shown.out.splitlines()) <= 12


def test_a_report_is_ten_lines_in_a_prompt(tmp_path: Path) -> None:
    report = steelyard.score_files([outcomes(tmp_path, "one.csv", fails=4)])

    assert len(repr(report).splitlines()) <= 10
    assert repr(report).startswith("m passes 90 % of 40 cases.")


def test_a_latex_table_has_rates_with_intervals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = outcomes(tmp_path, "one.csv", "gpt_4", fails=4)

    text = typed(capsys, "score", path, "--format", "latex", "--pass-k", "1,5").out

    assert r"Model & pass@1 (\%) & pass@5 (\%) & Samples \\" in text
    assert r"gpt\_4 & 90.0 [" in text
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 1
    assert typed(capsys, "compare", path, path, "--format", "latex").code == 2
