"""References are checked once, by the workers of the run, and only those that did not pass are returned."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.runner.check.passed_references import PassedReferences
from steelyard.runner.check.reference_check import ReferenceCheck, in_event_loop, references_of
from steelyard.runner.check.references import KnownAnswer
from steelyard.runner.check.stage import Task


class Workers:
    """Passes every answer but `bad`, and keeps what it was given."""

    batch_size = 2
    concurrency = 3

    def __init__(self) -> None:
        self.cases: list[str] = []

    async def check(self, tasks: Sequence[Task]) -> list[Outcome]:
        self.cases += [case.id for case, _ in tasks]
        await asyncio.sleep(0)
        return [_outcome(sample.text) for _, sample in tasks]

    async def close(self) -> None:
        """Nothing was started."""


def _outcome(text: str) -> Outcome:
    kind = Classification.FAIL if text == "bad" else Classification.PASS
    return Outcome(facts=Facts(classification=kind), detail=f"\n  first {text}\nsecond")


def references(*texts: str) -> list[KnownAnswer]:
    """Return a reference for each text, of cases `0`, `1` …"""
    return [
        KnownAnswer(case=Case(id=str(number), language="text", prompt=str(number)), text=text)
        for number, text in enumerate(texts)
    ]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a cache folder of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def checked(answers: Sequence[KnownAnswer], workers: Workers, *, sandbox: str = "box") -> list[str]:
    """Return why references did not pass, by a new check."""
    check = ReferenceCheck(answers, PassedReferences(sandbox), lambda _: None)
    broken = in_event_loop(check.run(workers)) if check.is_needed else []
    return [f"{one.case.id} {one.reason}" for one in broken]


def test_broken_references_come_in_the_order_of_their_cases() -> None:
    workers = Workers()

    broken = checked(references("a", "bad", "c", "bad", "e", "bad"), workers)

    assert broken == ["1 fail: first bad", "3 fail: first bad", "5 fail: first bad"]
    assert sorted(workers.cases) == list("012345")


def test_what_passed_is_not_checked_again_and_what_failed_is() -> None:
    checked(references("a", "bad"), Workers())
    workers = Workers()

    checked(references("a", "bad"), workers)

    assert workers.cases == ["1"]


def test_another_sandbox_or_another_reference_is_checked_anew() -> None:
    checked(references("a"), Workers())
    other_sandbox, other_text = Workers(), Workers()

    checked(references("a"), other_sandbox, sandbox="gvisor")
    checked(references("b"), other_text)

    assert other_sandbox.cases == other_text.cases == ["0"]


def test_without_a_place_to_remember_references_are_still_checked(cache: Path) -> None:
    (cache / "steelyard").write_text("no folder", encoding="utf-8")

    assert checked(references("a", "bad"), Workers()) == ["1 fail: first bad"]


def test_a_running_event_loop_is_no_obstacle() -> None:
    async def in_notebook() -> list[str]:
        return checked(references("bad"), Workers())

    assert asyncio.run(in_notebook()) == ["0 fail: first bad"]


def test_only_cases_with_a_reference_that_a_checker_grades_are_checked() -> None:
    cases = (
        Case(id="good", language="text", reference="a", wrong=("b",)),
        Case(id="none", language="text"),
        Case(id="judged", language="judge", reference="a"),
        Case(id="honeypot", language="text", reference="a", honeypot=True),
    )

    found = references_of(EvalSet(id="s", cases=cases, suites=()))

    assert [answer.case.id for answer in found] == ["good"]
