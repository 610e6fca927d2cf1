"""Grades without the wanted integrity are refused; honeypots stay out of scores."""

from pathlib import Path

import pytest

import steelyard
from steelyard.errors import InputError, UserError
from steelyard.model.outcome import Integrity
from tests.commands import typed, written

STORED = Path(__file__).parent / "data" / "small_set"
SEALED = Integrity.SEALED
SET = """
[eval_set]
id = "trusted"
default_language = "text"
default_memory_mb = 256

[[cases]]
id = "two"
prompt = "1 + 1?"
memory_mb = 64
reference = "2"
expectations.settings.exact = "2"

[[cases]]
id = "trap"
prompt = "Say yes and do not say it."
honeypot = true
expectations.settings.exact = "yes"
"""
OPEN_CASE = """
[[cases]]
id = "add"
prompt = "Write add."
language = "rust"
expectations.tests = "#[test] fn adds() { assert_eq!(add(1, 2), 3); }"
"""
ANSWERS = """\
{"model": "honest", "case": "two", "attempt": 0, "text": "2"}
{"model": "honest", "case": "trap", "attempt": 0, "text": "I cannot."}
{"model": "hostile", "case": "two", "attempt": 0, "text": "2"}
{"model": "hostile", "case": "trap", "attempt": 0, "text": "yes"}
"""
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "steelyard.EndedRun":
    monkeypatch.chdir(tmp_path)
    eval_set, answers = written(tmp_path, SET, "set.toml"), written(tmp_path, ANSWERS, "answers.jsonl")
    return steelyard.run(eval_set, address="mine", replay=answers, require_integrity=SEALED)


def test_limits_and_honeypots_are_read_from_a_set(tmp_path: Path) -> None:
    two, trap = steelyard.read_eval_set(written(tmp_path, SET, "set.toml")).cases

    assert (two.memory_mb, trap.memory_mb) == (64, 256)
    assert (two.honeypot, trap.honeypot) == (False, True)


def test_a_honeypot_counts_in_no_score_and_a_pass_is_a_finding(ended: "steelyard.EndedRun") -> None:
    report = ended.report()

    assert [(one.model, one.samples, one.passed) for one in report.subjects] == [
        ("honest", 1, 1),
        ("hostile", 1, 1),
    ]
    assert {one.case for one in report.cases} == {"two"}
    assert [(one.model, one.samples, one.passed) for one in report.honeypots] == [
        ("honest", 1, 0),
        ("hostile", 1, 1),
    ]
    assert [line for line in report.warnings if "honeypots" in line] == [report.warnings[0]]
    assert report.warnings[0].startswith("hostile (T0): 1 of 1 samples passed honeypots")


def test_a_case_with_too_little_integrity_stops_a_run_before_it_begins(tmp_path: Path) -> None:
    eval_set = written(tmp_path, SET + OPEN_CASE, "set.toml")
    answers = written(tmp_path, ANSWERS, "answers.jsonl")

    with pytest.raises(InputError, match="1 of 2 cases have less:\n  'add': open"):
        steelyard.run(eval_set, address=tmp_path / "run", replay=answers, require_integrity=SEALED)

    assert not (tmp_path / "run").exists()
    with pytest.raises(InputError, match="'add': open"):
        steelyard.validate(eval_set, require_integrity=SEALED)


def test_reports_that_are_trusted_enough_are_judged(ended: "steelyard.EndedRun", capsys: Capture) -> None:
    run = ended.address
    compared = steelyard.compare(run, run, require_integrity=SEALED)

    assert [one.sealed for one in compared.current_integrity] == [1, 1]
    for command in ("gate", "compare"):
        shown = typed(capsys, command, "--baseline", run, "--current", run, "--require-integrity", "sealed")
        assert "integrity: all 4 samples of both reports sealed" in shown.out
    shown = typed(capsys, "report", run, "--details", "--require-integrity", "sealed")
    assert (shown.code, "integrity of honest: 1 of 1 sample sealed" in shown.out) == (0, True)


def run_without_sandbox(folder: Path) -> Path:
    """Make a run of unknown integrity."""
    steelyard.run(
        STORED / "set.toml",
        address=folder / "run",
        replay=STORED / "answers.jsonl",
        models="lab/m",
        unsafe_no_sandbox=True,
    )
    return folder / "run"


@pytest.mark.parametrize("command", ["report", "gate", "compare", "ci"])
def test_a_run_of_unknown_integrity_is_refused(command: str, tmp_path: Path, capsys: Capture) -> None:
    run = run_without_sandbox(tmp_path)
    pair = {"report": (run,), "ci": ("--current", run, "--folder", tmp_path / "files")}

    shown = typed(
        capsys,
        command,
        *pair.get(command, ("--baseline", run, "--current", run)),
        "--require-integrity",
        "sealed",
    )

    assert shown.code == 2
    assert "--require-integrity sealed: the integrity of these samples is unknown" in shown.err


def test_a_full_regrade_in_a_sandbox_determines_the_integrity(tmp_path: Path) -> None:
    run = run_without_sandbox(tmp_path)

    steelyard.regrade(run, every=True)

    assert steelyard.report_run(run, require_integrity=SEALED).integrity


def test_without_a_sandbox_no_grade_is_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    eval_set, answers = written(tmp_path, SET, "set.toml"), written(tmp_path, ANSWERS, "answers.jsonl")

    with pytest.raises(UserError, match="without a sandbox integrity is unknown"):
        steelyard.run(eval_set, replay=answers, require_integrity=SEALED, unsafe_no_sandbox=True)
    ended = steelyard.run(eval_set, address="mine", replay=answers, unsafe_no_sandbox=True)

    assert ended.report().integrity == ()
    with pytest.raises(InputError, match="or there was no sandbox"):
        steelyard.report_run("mine", require_integrity=SEALED)
