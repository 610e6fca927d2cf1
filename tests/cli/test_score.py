"""`steelyard score`: its options reach the report, and the same outcomes give the same bytes."""

from pathlib import Path
from random import Random

import pytest

from tests.commands import Shown, scored, typed, written

HEADER = "model,tier,suite,case,attempt,passed,score,cost_usd,latency_s\n"


def rows() -> list[str]:
    """Return outcomes of two models in two tiers over two suites, with gaps and errors in them."""
    chance = Random(7)
    return [
        f"{model},{tier},{suite},case {case},{attempt},{chance.choice(['True', 'False', ''])},"
        f"{chance.randrange(10**6) / 10**6},{chance.randrange(10**6)}e-6,{chance.choice(['', '1.5'])}\n"
        for model in ("alpha", "beta, gamma")
        for tier in ("T0", "T1")
        for suite in ("s", "t")
        for case in range(3)
        for attempt in range(4)
    ]


def quoted(row: str) -> str:
    """Quote the model whose name holds a comma."""
    return row.replace("beta, gamma", '"beta, gamma"')


@pytest.fixture(scope="module")
def splits(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Write the same outcomes as one file, as seven, and shuffled."""
    folder, whole = tmp_path_factory.mktemp("splits"), [quoted(row) for row in rows()]
    shuffled = whole.copy()
    Random(3).shuffle(shuffled)
    return {
        "one": [written(folder, HEADER + "".join(whole), "one.csv")],
        "seven": [written(folder, HEADER + "".join(whole[part::7]), f"part{part}.csv") for part in range(7)],
        "shuffled": [written(folder, HEADER + "".join(shuffled), "shuffled.csv")],
    }


def test_one_file_seven_files_shuffled_rows_and_threads_give_the_same_bytes_in_every_format(
    splits: dict[str, list[Path]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / f"report.{suffix}" for suffix in ("txt", "json", "md", "csv")]
    outputs = [word for file in files for word in ("-o", file)]
    printed: set[Shown] = set()
    contents: set[tuple[bytes, ...]] = set()
    for paths in splits.values():
        for threads in ("1", "2"):
            words = ("--details", "--pass-k", "1,2", "--threads", threads)
            printed.add(typed(capsys, "score", *paths, *words, *outputs))
            contents.add(tuple(file.read_bytes() for file in files))

    (screen,), (texts,) = printed, contents
    assert (screen.code, screen.err) == (0, "")
    assert texts[0].decode() == screen.out
    assert all(b"alpha" in text for text in texts)


def test_every_option_reaches_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(
        tmp_path, "who,what,passed,classification,latency_s\na,c,True,pass,2\na,d,False,refusal,2\n"
    )

    report = scored(
        capsys,
        path,
        *("--map", "model=who", "--map", "case=what"),
        *("--tier", "T9", "--suite", "mine", "--pass-k", "2,1", "--scoring", "accuracy"),
        *("--penalty", "refusal=0.25", "--suite-weight", "mine=2", "--grade-scale", "projectscylla-2026"),
        *("--latency-good", "1", "--latency-bad", "3", "--baseline-tier", "T9", "--missing", "skip"),
        *("--errors", "fail", "--duplicates", "last", "--statistics", "full"),
    )

    subject, settings = report["subjects"][0], report["settings"]
    assert (subject["model"], subject["tier"], report["suites"][0]["suite"]) == ("a", "T9", "mine")
    assert subject["score"]["value"] == (1 + 0.75) / 2
    assert subject["latency_score"]["value"] == 0.5
    assert settings["pass_k"] == [1, 2]
    assert settings["scoring"] == {
        "name": "accuracy",
        "version": 1,
        "parameters": {"penalties.refusal": "1/4"},
    }
    assert settings["suite_weights"] == {"mine": 2.0}
    assert (settings["grade_scale"], settings["baseline_tier"]) == ("projectscylla-2026", "T9")
    assert (settings["missing"], settings["errors"]) == ("skip", "fail")
    assert (settings["duplicates"], settings["spread"]) == ("last", "full")


def test_a_model_can_be_named_for_files_that_do_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = written(tmp_path, "case,attempt,passed\nc,0,True\n", "one.csv")
    two = written(tmp_path, "case,attempt,passed\nc,1,False\n", "two.csv")

    (subject,) = scored(capsys, one, two, "--model", "mine")["subjects"]

    assert (subject["model"], subject["samples"], subject["passed"]) == ("mine", 2, 1)


def test_a_score_to_pass_with_decides_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "case,attempt,score\nc,0,0.89\nc,1,0.9\n")

    report = scored(capsys, path, "--pass-score", "0.9")

    assert report["subjects"][0]["passed"] == 1
    assert report["settings"]["scoring"]["parameters"] == {"pass_score": "9/10"}


def test_a_mapped_column_names_the_problems_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "oid,task_id,attempt,passed\n1,c,0,True\n")
    problems = written(tmp_path, "oid,task_id,cost,estimated_cost_usd\n1,c,0,0\n2,d,0,0\n", "problems.csv")

    report = scored(capsys, path, "--map", "case=task_id", "--problems", problems)

    assert [case["case"] for case in report["cases"]] == ["c", "d"]


def test_a_mapped_column_that_the_problems_lack_is_no_hindrance(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, "what,attempt,passed\nc,0,True\n")
    problems = written(tmp_path, "oid\nc\n", "problems.csv")

    report = scored(capsys, path, "--map", "case=what", "--problems", problems)

    assert report["subjects"][0]["coverage"]["unknown"] == 0


def test_words_and_names_of_other_tools_are_read_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "model,id,sample,ok,cost\n" + "".join(
        f"m,case-{case},{sample},{word},$0.0094\n"
        for case, words in enumerate((("PASS", "C"), ("ok", "Failed"), ("I", "incorrect")))
        for sample, word in enumerate(words)
    )

    [subject] = scored(capsys, written(tmp_path, text))["subjects"]

    assert (subject["samples"], subject["pass_rate"]["value"]) == (6, 0.5)
    assert subject["total_cost_usd"]["value"] == pytest.approx(6 * 0.0094)


def test_more_figures_are_shown_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "case,passed\n" + "a,true\na,true\na,false\n")

    report = scored(capsys, path, "--pass-k", "1,2", "--also-at-k", "g-pass")
    unknown = typed(capsys, "score", path, "--pass-k", "2", "--also-at-k", "g")
    too_few = typed(capsys, "score", path, "--also-at-k", "g-pass")

    [found] = report["also_at_k"]
    assert [(at["k"], at["tau"], at["estimate"]["value"]) for at in found["g_pass_at_k"]] == [
        (2, 0.5, 1.0),
        (2, 0.75, 1 / 3),
    ]
    assert (unknown.code, too_few.code) == (2, 2)
    assert "g-pass" in unknown.err
    assert "--pass-k 1,4" in too_few.err
