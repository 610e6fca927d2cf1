"""Check answers in Python: run the case's tests against them in one sandboxed process."""

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, replace

from steelyard.checks.demands import require_no_demands, with_custom_check
from steelyard.checks.digests import check_digest
from steelyard.checks.extraction.extract import extraction_tools
from steelyard.checks.python.environment import interpreter_of
from steelyard.checks.python.evidence import SealedCase, seal_case
from steelyard.checks.python.interpreter import Interpreter
from steelyard.checks.python.job import REMEMBERED, AnswerCode, command, read_code, read_tests
from steelyard.checks.python.sealing.integrity import SealedCount
from steelyard.checks.python.tests_source import TestsSource
from steelyard.checks.python.transcript import Transcript, read
from steelyard.checks.python.verdict import outcome_of
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.execution import ExecResult
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.ports import Sandbox

VERSION = "7"  # of what a check means; raised when an equal answer may get another outcome
WRONG_FORMAT = Facts(classification=Classification.WRONG_FORMAT)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRun:
    """One run of the tests: what was reported, how the process ended, and what was sealed."""

    transcript: Transcript
    ended: ExecResult
    sealed: SealedCase

    __test__ = False  # for pytest, which would collect this class by its name


class PythonChecker:
    """Checks answers in Python; safe to call from many threads.

    A warm sandbox that has `interpreter` and pytest loaded makes a check several times as fast.
    """

    def __init__(self, sandbox: Sandbox, *, interpreter: Interpreter | None = None) -> None:
        self._sandbox = sandbox
        self._given = interpreter
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], SealedCase] = OrderedDict()

    def check(self, case: Case, answer: str) -> Outcome:
        """Return the outcome of a model's raw answer."""
        require_no_demands(case, "max_lint_warnings")
        tests, code = read_tests(case), read_code(case, answer)
        tools = {"grader": VERSION, "python": self._interpreter(case).program, **extraction_tools("python")}
        digest = check_digest("python", case, tools=tools)
        if code is None:
            outcome = Outcome(facts=WRONG_FORMAT, check_digest=digest, detail="no Python code in the answer")
            return _with_integrity(outcome, seal_case(tests).count)
        began = time.monotonic()
        try:
            run = self._decided(case, code, tests)
            outcome = outcome_of(case.expectations, tests.names, run.transcript, run.ended)
            outcome = with_custom_check(outcome, case, code.main, self._sandbox)
            is_pass = outcome.facts.classification is Classification.PASS
            count = run.sealed.count_of(run.transcript) if is_pass else run.sealed.count
        except SandboxError as error:
            facts = Facts(classification=Classification.ERROR)
            return Outcome(facts=facts, check_digest=digest, detail=str(error))
        return replace(
            _with_integrity(outcome, count),
            check_digest=digest,
            check_us=round((time.monotonic() - began) * 1e6),
            peak_memory_bytes=run.ended.peak_memory_bytes,
        )

    def _decided(self, case: Case, code: AnswerCode, tests: TestsSource) -> TestRun:
        """Run the tests and decide what they reported.

        Without a reference, a second run compares inside what the first cannot report as plain data.
        """
        sealed = self._sealed(case, tests)
        run = self._run(case, code, sealed)
        if sealed.reference is None and (numbers := sealed.not_plain(run.transcript)):
            run = self._run(case, code, seal_case(tests, open_numbers=numbers))
        return replace(run, transcript=run.sealed.decide(run.transcript))

    def _sealed(self, case: Case, tests: TestsSource) -> SealedCase:
        """Return the sealed tests of a case, made once, and measured by a run of its reference."""
        key = (check_digest("python", case), case.reference or "")
        with self._lock:
            known = self._known.get(key)
        if known is None:
            known = self._measured(case, tests)
            with self._lock:
                self._known[key] = known
                while len(self._known) > REMEMBERED:
                    self._known.popitem(last=False)
        return known

    def _measured(self, case: Case, tests: TestsSource) -> SealedCase:
        sealed = seal_case(tests)
        code = read_code(case, case.reference) if case.reference else None
        if code is None:
            return sealed
        run = self._run(case, code, sealed)
        if numbers := sealed.not_plain(run.transcript):
            run = self._run(case, code, seal_case(tests, open_numbers=numbers))
        if not run.transcript.is_complete:
            return sealed
        return replace(run.sealed, reference=run.sealed.reached(run.transcript))

    def _run(self, case: Case, code: AnswerCode, sealed: SealedCase) -> TestRun:
        ended = self._sandbox.run(command(case, code, sealed.tests, self._interpreter(case)))
        return TestRun(transcript=read(ended.channel), ended=ended, sealed=sealed)

    def _interpreter(self, case: Case) -> Interpreter:
        return self._given or interpreter_of(case.environment)


def _with_integrity(outcome: Outcome, count: SealedCount) -> Outcome:
    return replace(
        outcome, integrity=count.integrity, sealed_assertions=count.sealed, open_assertions=count.open
    )
