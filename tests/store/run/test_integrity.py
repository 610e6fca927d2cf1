"""How a sample was graded is a column of the outcomes, through files and back."""

from dataclasses import replace
from pathlib import Path

import pytest

import steelyard
from steelyard.errors import InputError
from steelyard.model.options import RuleChoice
from steelyard.model.outcome import Integrity
from steelyard.model.run import RunCase
from steelyard.model.state import CaseState, ExpectedCase, total
from steelyard.store.run.evidence import RunCounting, run_evidence
from steelyard.store.run.excerpts import excerpts_of_run
from steelyard.store.run.run_store import RunStore, create_run
from tests.commands import written
from tests.store.run.small_run import MANIFEST, generated, seen

MODES = (Integrity.SEALED, Integrity.OPEN, Integrity.PARTIAL)
HONEYPOTS = replace(
    MANIFEST,
    cases=(*MANIFEST.cases[:3], RunCase(suite="basics", case="case-3", digest="d1", honeypot=True)),
)


def graded_run(path: Path, *, honeypots: bool = False) -> RunStore:
    """Make a run whose attempts 0, 1 and 2 are sealed, open and partial."""
    store = create_run(path, HONEYPOTS if honeypots else MANIFEST)
    samples = [generated(key) for key in store.pending()]
    store.add_samples(samples, chunk="samples")
    outcomes = [
        (one, replace(seen(one), integrity=MODES[one.attempt], sealed_assertions=3, open_assertions=2))
        for one in samples
    ]
    store.add_outcomes(outcomes, chunk="outcomes")
    return store


def counted(states: tuple[CaseState, ...]) -> tuple[int, int, int, int]:
    whole = total(states)
    return whole.n, whole.n_sealed, whole.n_open, whole.n_partial


@pytest.mark.parametrize("rule", [None, RuleChoice(name="build-test-lint")])
def test_evidence_is_counted_by_integrity(tmp_path: Path, rule: RuleChoice | None) -> None:
    store = graded_run(tmp_path / "run")
    samples = [generated(key) for key in store.manifest.wanted()]
    evidence = [one for one in samples if seen(one).detail != "the sandbox broke"]
    by_attempt = [sum(one.attempt == attempt for one in evidence) for attempt in range(3)]

    found = run_evidence(store, RunCounting(rule=rule))

    assert counted(found.states) == (len(evidence), *by_attempt)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_it_goes_through_a_file_and_back(tmp_path: Path, suffix: str) -> None:
    before = run_evidence(graded_run(tmp_path / "run"), RunCounting())
    steelyard.export_run(tmp_path / "run", tmp_path / f"rows.{suffix}")

    steelyard.import_files(tmp_path / f"rows.{suffix}", tmp_path / "again")

    report = steelyard.report_run(tmp_path / "again")
    assert sum(one.sealed for one in report.integrity) == total(before.states).n_sealed
    assert sum(one.open for one in report.integrity) == total(before.states).n_open
    assert sum(one.partial for one in report.integrity) == total(before.states).n_partial
    assert {(one.sealed_assertions, one.open_assertions) for one in excerpts_of_run(tmp_path / "again")} == {
        (3, 2)
    }


def test_a_file_may_say_it_and_nothing_else(tmp_path: Path) -> None:
    given = ("sealed", "Open", "", "partial")
    rows = "model,case,attempt,passed,integrity\n"
    rows += "".join(f"m,a,{attempt},true,{integrity}\n" for attempt, integrity in enumerate(given))

    [found] = steelyard.score_files(written(tmp_path, rows, "rows.csv")).integrity

    assert (found.sealed, found.partial, found.open, found.unknown) == (1, 1, 1, 1)
    wrong = rows.replace("Open", "docker")
    with pytest.raises(InputError, match=r"docker.*expected one of open, partial, sealed"):
        steelyard.score_files(written(tmp_path, wrong, "wrong.csv"))


def test_an_excerpt_tells_it(tmp_path: Path) -> None:
    graded_run(tmp_path / "run")

    assert {(one.attempt, one.integrity) for one in excerpts_of_run(tmp_path / "run")} == set(
        enumerate(MODES)
    )


@pytest.mark.parametrize("rule", [None, RuleChoice(name="build-test-lint")])
def test_honeypots_are_counted_by_themselves(tmp_path: Path, rule: RuleChoice | None) -> None:
    plain = replace(MANIFEST, cases=MANIFEST.cases[:3])
    without = create_run(tmp_path / "plain", plain)
    samples = [generated(key) for key in without.pending()]
    without.add_outcomes([(one, seen(one)) for one in samples], chunk="outcomes")
    store = graded_run(tmp_path / "run", honeypots=True)

    found = run_evidence(store, RunCounting(rule=rule))
    wanted = run_evidence(without, RunCounting(rule=rule))

    assert {state.case for state in found.honeypots} == {"case-3"}
    assert found.unknown == ()
    assert {ExpectedCase(state.suite, state.case) for state in found.states} == store.manifest.expected()
    assert (found.spreads, found.runs) == (wanted.spreads, wanted.runs)


def test_answers_to_honeypots_are_not_shown_among_the_samples(tmp_path: Path) -> None:
    graded_run(tmp_path / "run", honeypots=True)

    assert {one.key.case for one in excerpts_of_run(tmp_path / "run")} == {"case-0", "case-1", "case-2"}
