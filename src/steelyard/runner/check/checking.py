"""Check samples in this process, each with the checker of its case.

A crash of a checker never ends the run: it becomes an infrastructure error, or a failure of the answer that
caused it.
"""

import asyncio
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from typing import cast

from steelyard.checks.classification.classifier import classified
from steelyard.checks.environments import require_packages
from steelyard.checks.grading.calibration import CalibratedChecker
from steelyard.checks.grading.digests import check_digest
from steelyard.checks.grading.sharing import SharingChecker
from steelyard.errors import SteelyardError, UserError
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.sample import Sample
from steelyard.ports import Sandbox
from steelyard.runner.batch_queue import BatchSizer
from steelyard.runner.check.checkers import JUDGED_ONLY, Checkers
from steelyard.runner.check.fair_time import CommandUsage, FairSandbox
from steelyard.runner.check.proof import proven
from steelyard.runner.check.stage import Task
from steelyard.runner.telemetry import check_span

TRACE_LINES = 20
LONGEST_ANSWER = 4_000_000  # characters; a million tokens
BATCH_S = 0.05  # target duration of a batch of checks
MOST_CHECKS = 500  # of a batch
MEMORY_NOT_LIMITED = "memory: not limited (no control groups)"

Check = Callable[[Case, str], Outcome]


class Checking:
    """The checks of one process; thread-safe."""

    def __init__(self, sandbox: Sandbox, *, share: bool = True) -> None:
        """With `share`, equal answers to one case are checked once."""
        self._usage = CommandUsage()
        self._isolates = getattr(sandbox, "isolates", True)
        self._limits_memory = getattr(sandbox, "limits_memory", True)
        self._checkers = Checkers(
            sandbox,
            around=lambda checker: SharingChecker(CalibratedChecker(checker), enabled=share),
            within=lambda inner: FairSandbox(inner, self._usage),
        )

    def prepare(self, cases: Iterable[Case]) -> None:
        """Create the checkers of these cases; raises an error if a tool is missing."""
        for case in cases:
            if case.language != JUDGED_ONLY:
                require_packages(case)
                self._checkers.of(case)

    def outcome(self, case: Case, sample: Sample) -> Outcome:
        """Return the outcome of a sample's check."""
        if sample.error is not None:
            return broken(sample.error)
        if case.language == JUDGED_ONLY:
            return Outcome(facts=Facts(), check_digest=check_digest(JUDGED_ONLY, case))
        outcome = unbroken(lambda: self._checked(case, sample))
        if not self._limits_memory:
            detail = "\n".join(filter(None, [outcome.detail, MEMORY_NOT_LIMITED]))
            outcome = replace(outcome, memory_limited=False, detail=detail)
        # Without a sandbox an answer can read expected values from anywhere.
        return outcome if self._isolates else replace(outcome, integrity=None)

    def outcomes(self, tasks: Iterable[Task]) -> list[Outcome]:
        """Check samples sequentially."""
        return [check_span(sample, partial(self.outcome, case, sample)) for case, sample in tasks]

    def _checked(self, case: Case, sample: Sample) -> Outcome:
        checker = cast("SharingChecker", self._checkers.of(case))  # what `around` makes of them
        if case.task is not None:  # its checker tells the engine's failures from the answer's doing
            return classified(case, checker.check(case, sample.text), "", sample.finish_reason)
        if len(sample.text) > LONGEST_ANSWER:
            return _too_long(checker.check(case, ""), len(sample.text))
        self._usage.reset()
        outcome = _proven(checker, case, sample)
        cpu_us = None if self._usage.cpu_s is None else round(self._usage.cpu_s * 1e6)
        return replace(outcome, had_longer=self._usage.had_longer, cpu_us=cpu_us)


def _proven(checker: SharingChecker, case: Case, sample: Sample) -> Outcome:
    """Return a sample's outcome; errors need proof by a known answer."""

    def seen(check: Check, text: str, finish_reason: str | None = None) -> Outcome:
        return unbroken(lambda: classified(case, check(case, text), text, finish_reason))

    return proven(
        case,
        sample.text,
        lambda text: seen(checker.check, text, sample.finish_reason),
        lambda text: seen(checker.check_anew, text),
    )


class LocalCheckWorkers:
    """Checks on threads, which wait for sandboxed processes."""

    def __init__(self, checking: Checking, *, threads: int) -> None:
        self._checking = checking
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="check")
        self._sizer = BatchSizer(batch_s=BATCH_S, maximum=MOST_CHECKS)
        self.concurrency = threads

    @property
    def batch_size(self) -> int:
        """The number of samples per batch."""
        return self._sizer.size

    async def check(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Check a batch on a thread."""
        began = time.monotonic()
        # In the session's context, for traces.
        check = partial(copy_context().run, self._checking.outcomes, tasks)
        outcomes = await asyncio.get_running_loop().run_in_executor(self._threads, check)
        self._sizer.add(time.monotonic() - began, items=len(tasks))
        return outcomes

    async def close(self) -> None:
        """Wait for running checks, which end by their time limits."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)


def _too_long(empty: Outcome, length: int) -> Outcome:
    """Return the outcome of an oversized answer, graded like an empty one."""
    return replace(
        empty,
        facts=Facts(classification=Classification.WRONG_FORMAT, passed=False),
        detail=f"the answer has {length:,} characters; no more than {LONGEST_ANSWER:,} are checked",
    )


def unbroken(find: Callable[[], Outcome]) -> Outcome:
    """Return the outcome of a check, or an infrastructure error if the check raises."""
    try:
        return find()
    except SteelyardError as error:
        return replace(broken(str(error)), needs_setup=isinstance(error, UserError))
    except Exception:  # noqa: BLE001  # a bug in one checker must not take a paid run with it
        lines = traceback.format_exc().splitlines()[-TRACE_LINES:]
        return broken("\n".join(["a bug in Steelyard; please report it:", *lines]))


def broken(detail: str) -> Outcome:
    """Return the outcome of an infrastructure error."""
    return Outcome(facts=Facts(classification=Classification.ERROR), detail=detail)
