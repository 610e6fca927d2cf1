"""Check answers in Python: build, load, and run the graded tests against them."""

import secrets
import threading
import time
from dataclasses import dataclass, replace

from steelyard.checks.demands import require_no_demands, with_custom_check
from steelyard.checks.digests import check_digest
from steelyard.checks.extraction.extract import extraction_tools
from steelyard.checks.python import transcript
from steelyard.checks.python.environment import interpreter_of
from steelyard.checks.python.interpreter import Interpreter
from steelyard.checks.python.job import AnswerCode, Tests, command, isolation, read_code, read_tests
from steelyard.checks.python.verdict import GradedFacts, verdict
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.execution import ExecResult
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.ports import Sandbox

KEY_BYTES = 32
VERSION = "5"  # of what a check means; raised when an equal answer may get another outcome
WRONG_FORMAT = Facts(classification=Classification.WRONG_FORMAT)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraderRun:
    """One run of the grader: its transcript, and what it took."""

    reported: transcript.Transcript
    ended: ExecResult


class PythonChecker:
    """Checks answers in Python; safe to call from many threads.

    The sandbox may be any; a warm one that has `interpreter` at hand makes a check ten times as fast.
    """

    def __init__(self, sandbox: Sandbox, *, interpreter: Interpreter | None = None) -> None:
        self._sandbox = sandbox
        self._given = interpreter
        self._lock = threading.Lock()
        self._asserted: dict[tuple[str, str], dict[str, dict[str, int]]] = {}

    def check(self, case: Case, answer: str) -> Outcome:
        """Return what a check of the model's raw answer saw."""
        require_no_demands(case, "max_lint_warnings")
        tests, code = read_tests(case), read_code(case, answer)
        tools = {"grader": VERSION, "python": self._interpreter(case).program, **extraction_tools("python")}
        digest = check_digest("python", case, tools=tools)
        if code is None:
            nothing = Outcome(facts=WRONG_FORMAT, check_digest=digest, detail="no Python code in the answer")
            return replace(nothing, isolation=isolation(case))
        began = time.monotonic()
        try:
            run = self._run(case, code, tests)
            found = self._judged(case, tests, run)
            outcome = Outcome(
                facts=found.facts, check_digest=digest, detail=found.detail, isolation=isolation(case)
            )
            outcome = with_custom_check(outcome, case, code.main, self._sandbox)
        except SandboxError as error:
            facts = Facts(classification=Classification.ERROR)
            return Outcome(facts=facts, check_digest=digest, detail=str(error))
        return replace(
            outcome,
            check_us=round((time.monotonic() - began) * 1e6),
            peak_memory_bytes=run.ended.peak_memory_bytes,
        )

    def _run(self, case: Case, code: AnswerCode, tests: Tests) -> GraderRun:
        key = secrets.token_bytes(KEY_BYTES)
        interpreter = self._interpreter(case)
        ended = self._sandbox.run(command(case, code, tests, key=key, interpreter=interpreter))
        return GraderRun(reported=transcript.read(ended.channel, key), ended=ended)

    def _interpreter(self, case: Case) -> Interpreter:
        return self._given or interpreter_of(case.environment)

    def _judged(self, case: Case, tests: Tests, run: GraderRun) -> GradedFacts:
        """Return the verdict; a test that may have been cut short must assert as much as with the reference.

        That is one that passes without asserting anything, in which the answer caught an exception, or that
        was skipped, be it because of what the answer has or lacks. Each
        line counts by itself: a loop over what the answer gave can meet one as often as the answer likes.
        """
        found = verdict(case.expectations, tests.names, run.reported, run.ended)
        doubtful = {
            name: result
            for name, result in run.reported.results.items()
            if result.status == "ignored"
            or (result.status == "passed" and (not result.asserted or result.caught))
        }
        if (
            not doubtful
            or not tests.asserts
            or case.reference is None
            or found.facts.classification is not Classification.PASS
        ):
            return found
        expected = self._reference_asserts(case, tests)
        for name, result in doubtful.items():
            wanted = expected.get(name, {})
            met = sum(min(often, result.asserted.get(line, 0)) for line, often in wanted.items())
            if met < sum(wanted.values()):
                message = f"met {met} of the {sum(wanted.values())} assertions that the reference meets"
                run.reported.results[name] = transcript.TestResult(status="failed", message=message)
        return verdict(case.expectations, tests.names, run.reported, run.ended)

    def _reference_asserts(self, case: Case, tests: Tests) -> dict[str, dict[str, int]]:
        """Return which assertions the reference answer meets in each test, found out once."""
        key = (check_digest("python", case), case.reference or "")
        with self._lock:
            known = self._asserted.get(key)
        code = read_code(case, case.reference or "")
        if known is None and code is not None:
            results = self._run(case, code, tests).reported.results
            known = {name: result.asserted for name, result in results.items()}
            with self._lock:
                self._asserted[key] = known
        return known or {}
