"""Check the references of a run with its own workers, before generation."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice
from typing import TypeVar

from steelyard.model.evalset import EvalSet
from steelyard.model.log import IMPORTED
from steelyard.model.sample import Sample
from steelyard.runner.check.passed_references import PassedReferences
from steelyard.runner.check.references import CheckedAnswer, KnownAnswer, known_answers
from steelyard.runner.check.stage import CheckWorkers, Task

MODEL = "reference"  # stands for the model of a sample
ANNOUNCE_S = 10.0  # between two progress messages
Result = TypeVar("Result")


def references_of(eval_set: EvalSet) -> list[KnownAnswer]:
    """Return the checkable references."""
    return [
        answer
        for answer in known_answers(eval_set)
        if answer.must_pass and not answer.case.honeypot and answer.case.language != IMPORTED
    ]


class ReferenceCheck:
    """Checks references concurrently, each once."""

    def __init__(
        self, answers: Sequence[KnownAnswer], passed: PassedReferences, announce: Callable[[str], None]
    ) -> None:
        """`passed` answers are skipped; `announce` receives progress messages."""
        self._answers = [answer for answer in answers if answer not in passed]
        self._passed = passed
        self._announce = announce
        self._announced_at = time.monotonic()
        self._broken: list[CheckedAnswer] = []
        self._checked = 0

    @property
    def is_needed(self) -> bool:
        """Whether any answer has not passed so far."""
        return bool(self._answers)

    async def run(self, workers: CheckWorkers) -> list[CheckedAnswer]:
        """Return the references that did not pass, in the order of their cases."""
        remaining = iter(self._answers)
        await asyncio.gather(*(self._check(remaining, workers) for _ in range(workers.concurrency)))
        order = {id(answer): index for index, answer in enumerate(self._answers)}
        return sorted(self._broken, key=lambda checked: order[id(checked.answer)])

    async def _check(self, remaining: Iterator[KnownAnswer], workers: CheckWorkers) -> None:
        while answers := list(islice(remaining, workers.batch_size)):
            outcomes = await workers.check([_task(answer) for answer in answers])
            checked = [
                CheckedAnswer(answer=answer, outcome=outcome)
                for answer, outcome in zip(answers, outcomes, strict=True)
            ]
            self._passed.add(
                checked_answer.answer for checked_answer in checked if checked_answer.is_as_meant
            )
            self._broken += [checked_answer for checked_answer in checked if not checked_answer.is_as_meant]
            self._count(len(checked))

    def _count(self, more: int) -> None:
        self._checked += more
        now = time.monotonic()
        if now - self._announced_at >= ANNOUNCE_S:
            self._announced_at = now
            self._announce(
                f"checked {self._checked:,} of {len(self._answers):,} references; this is done once"
            )


def _task(answer: KnownAnswer) -> Task:
    case = answer.case
    sample = Sample(
        model=MODEL, suite=case.suite, case=case.id, digest=case.digest, attempt=0, text=answer.text
    )
    return case, sample


def in_event_loop(work: Coroutine[None, None, Result]) -> Result:
    """Run a coroutine; in a thread if an event loop is running, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1, thread_name_prefix="references") as thread:
        return thread.submit(copy_context().run, asyncio.run, work).result()
