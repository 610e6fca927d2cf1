"""Check the references of a run's cases by the run's own workers, before anything is generated."""

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
from steelyard.runner.check.references import BroughtAnswer, CheckedAnswer, brought_answers
from steelyard.runner.check.stage import CheckWorkers, Task

MODEL = "reference"  # stands for the model of a sample
ANNOUNCE_S = 10.0  # between two lines about a check that takes long
Result = TypeVar("Result")


def references_of(eval_set: EvalSet) -> list[BroughtAnswer]:
    """Return the references that a run can check."""
    return [
        answer
        for answer in brought_answers(eval_set)
        if answer.must_pass and not answer.case.honeypot and answer.case.language != IMPORTED
    ]


class ReferenceCheck:
    """Checks references, each once; several at a time."""

    def __init__(
        self, answers: Sequence[BroughtAnswer], passed: PassedReferences, announce: Callable[[str], None]
    ) -> None:
        """Skip the answers that have `passed`; `announce` gets a line now and then."""
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
        await asyncio.gather(*(self._check(remaining, workers) for _ in range(workers.width)))
        order = {id(answer): place for place, answer in enumerate(self._answers)}
        return sorted(self._broken, key=lambda checked: order[id(checked.answer)])

    async def _check(self, remaining: Iterator[BroughtAnswer], workers: CheckWorkers) -> None:
        while answers := list(islice(remaining, workers.batch_size)):
            outcomes = await workers.check([_task(answer) for answer in answers])
            checked = [
                CheckedAnswer(answer=answer, outcome=outcome)
                for answer, outcome in zip(answers, outcomes, strict=True)
            ]
            self._passed.add(one.answer for one in checked if one.is_as_meant)
            self._broken += [one for one in checked if not one.is_as_meant]
            self._count(len(checked))

    def _count(self, more: int) -> None:
        self._checked += more
        now = time.monotonic()
        if now - self._announced_at >= ANNOUNCE_S:
            self._announced_at = now
            self._announce(
                f"checked {self._checked:,} of {len(self._answers):,} references; this is done once"
            )


def _task(answer: BroughtAnswer) -> Task:
    case = answer.case
    sample = Sample(
        model=MODEL, suite=case.suite, case=case.id, digest=case.digest, attempt=0, text=answer.text
    )
    return case, sample


def in_event_loop(work: Coroutine[None, None, Result]) -> Result:
    """Run a coroutine to its end; where a loop is running already, as in a notebook, in a thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1, thread_name_prefix="references") as thread:
        return thread.submit(copy_context().run, asyncio.run, work).result()
