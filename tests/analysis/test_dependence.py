"""Reports of runs in which samples repeat each other, such as at temperature 0."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import steelyard
from steelyard.analysis.compare import compare_reports
from steelyard.analysis.gate import gate_reports
from steelyard.analysis.staged_gate import add_round
from steelyard.model.estimate import Target
from steelyard.model.report import Report
from steelyard.model.sequence import GateSequence
from steelyard.model.verdict import Ground, Verdict
from tests.analysis.runs import run

BEFORE = [(5, 5)] * 90 + [(5, 0)] * 10
AFTER = [(5, 0)] * 10 + [(5, 5)] * 90


def scored(folder: Path, name: str, passes: Sequence[bool], *, digest: bool, samples: int = 5) -> Report:
    rows = [
        f"m,c{case:03},{sample},{passed}" + (f",{case}-{passed}" if digest else "")
        for case, passed in enumerate(passes)
        for sample in range(samples)
    ]
    path = folder / f"{name}.csv"
    path.write_text("\n".join(["model,case,attempt,passed" + ",answer_digest" * digest, *rows]))
    return steelyard.score_files([path])


def flips(*, before: bool) -> list[bool]:
    return [True] * 80 + [before] * 10 + [not before] * 10


def test_a_gate_decides_nothing_where_cases_flip_in_both_directions() -> None:
    found = gate_reports(run(BEFORE), run(AFTER))

    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.subjects[0].decision.grounds == (Ground.DEPENDENT_SAMPLES,)
    assert not found.lacks_only_samples


def test_repeated_answers_of_files_count_once(tmp_path: Path) -> None:
    before = scored(tmp_path, "before", flips(before=True), digest=True)
    after = scored(tmp_path, "after", flips(before=False), digest=True)

    [subject] = gate_reports(before, after).subjects
    [compared] = compare_reports(before, after).subjects

    assert before.cases[0].repeats == 4
    assert subject.decision.grounds == (Ground.TOO_FEW_SAMPLES,)
    assert compared.baseline_pass_rate == compared.current_pass_rate == 0.9
    assert compared.p_drop > 0.5
    assert "not independent: 400 of 500 repeat an answer" in before.warnings[0]


def test_repeated_answers_leave_no_interval_of_a_re_run(tmp_path: Path) -> None:
    repeated = scored(tmp_path, "one", flips(before=True), digest=True)
    unknown = scored(tmp_path, "two", flips(before=True), digest=False)

    targets = [
        {interval.target for interval in report.subjects[0].pass_at_k[0].estimate.intervals}
        for report in (repeated, unknown)
    ]

    assert targets == [{Target.NEW_CASES}, {Target.NEW_CASES, Target.RERUN}]


def test_a_break_with_different_answers_is_still_seen(tmp_path: Path) -> None:
    steady = run([(5, 5)] * 100)
    few = replace(steady, cases=tuple(replace(case, repeats=1, repeats_passed=1) for case in steady.cases))

    assert gate_reports(few, run([(5, 0)] * 5 + [(5, 5)] * 95)).verdict is Verdict.FAIL


def test_rounds_that_repeat_each_other_never_fail() -> None:
    """Every round has the same results: its pairs are not new evidence."""
    before, after = run([(1, 1)] * 120 + [(1, 0)] * 30), run([(1, 0)] * 45 + [(1, 1)] * 105)
    sequence, verdicts = GateSequence(), []
    for number in range(6):
        fresh = [_timed(report, number) for report in (before, after)]
        gate, sequence = add_round(fresh[0], fresh[1], sequence=sequence)
        verdicts.append(gate.verdict)
        if gate.verdict is not Verdict.INCONCLUSIVE:
            break

    assert min(sequence.subjects[0].passed.values())[0] >= 2
    assert verdicts[-1] is Verdict.INCONCLUSIVE


def _timed(report: Report, seconds: int) -> Report:
    cases = tuple(replace(case, mean_latency_s=float(seconds)) for case in report.cases)
    return replace(report, cases=cases)


def answered(folder: Path, name: str, tokens: Sequence[int]) -> Report:
    """Score a case that always got the same answer, with so many tokens each time."""
    rows = [f"m,c,{sample},true,yes,{count}" for sample, count in enumerate(tokens)]
    path = folder / f"{name}.csv"
    path.write_text("\n".join(["model,case,attempt,passed,answer_digest,tokens_out", *rows]))
    return steelyard.score_files([path])


def test_short_answers_and_those_with_other_reasoning_do_not_repeat(tmp_path: Path) -> None:
    """Independent samples often agree on a word; the same long answer twice is a copy."""
    short, reasoned = answered(tmp_path, "a", [2] * 5), answered(tmp_path, "b", [90, 80, 70, 60, 50])
    copied = answered(tmp_path, "c", [90, 90, 90, 90, 50])

    assert [report.cases[0].repeats for report in (short, reasoned, copied)] == [0, 0, 3]
