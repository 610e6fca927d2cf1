"""Check answers in Python: build, load, and run the graded tests against them."""

import secrets
import threading
import time
from dataclasses import dataclass, replace

from steelyard.checks.demands import require_no_demands, with_custom_check
from steelyard.checks.digests import check_digest
from steelyard.checks.extraction.extract import extraction_tools
from steelyard.checks.integrity import integrity_of
from steelyard.checks.python.environment import interpreter_of
from steelyard.checks.python.interpreter import Interpreter
from steelyard.checks.python.job import AnswerCode, Tests, command, read_code, read_tests
from steelyard.checks.python.shortfall import fall_short, is_doubtful
from steelyard.checks.python.transcript import Transcript, read
from steelyard.checks.python.verdict import GradedFacts, verdict
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.execution import ExecResult
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.ports import Sandbox

KEY_BYTES = 32
VERSION = "6"  # of what a check means; raised when an equal answer may get another outcome
WRONG_FORMAT = Facts(classification=Classification.WRONG_FORMAT)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraderRun:
    """One run of the grader: its transcript, and what it took."""

    reported: Transcript
    ended: ExecResult


class PythonChecker:
    """Checks answers in Python; safe to call from many threads.

    The sandbox may be any; a warm one that has `interpreter` at hand makes a check ten times as fast.
    """

    def __init__(self, sandbox: Sandbox, *, interpreter: Interpreter | None = None) -> None:
        self._sandbox = sandbox
        self._given = interpreter
        self._lock = threading.Lock()
        self._references: dict[tuple[str, str], Transcript] = {}

    def check(self, case: Case, answer: str) -> Outcome:
        """Return what a check of the model's raw answer saw."""
        require_no_demands(case, "max_lint_warnings")
        tests, code = read_tests(case), read_code(case, answer)
        tools = {"grader": VERSION, "python": self._interpreter(case).program, **extraction_tools("python")}
        digest = check_digest("python", case, tools=tools)
        if code is None:
            nothing = Outcome(facts=WRONG_FORMAT, check_digest=digest, detail="no Python code in the answer")
            return replace(nothing, integrity=integrity_of("python", case))
        began = time.monotonic()
        try:
            run = self._run(case, code, tests)
            found = self._judged(case, tests, run)
            outcome = Outcome(
                facts=found.facts,
                check_digest=digest,
                detail=found.detail,
                integrity=integrity_of("python", case),
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
        return GraderRun(reported=read(ended.channel, key), ended=ended)

    def _interpreter(self, case: Case) -> Interpreter:
        return self._given or interpreter_of(case.environment)

    def _judged(self, case: Case, tests: Tests, run: GraderRun) -> GradedFacts:
        """Return the verdict; what may have been cut short must come as far as with the reference."""
        found = verdict(case.expectations, tests.names, run.reported, run.ended)
        if found.facts.classification is not Classification.PASS or case.reference is None:
            return found
        if not is_doubtful(tests, run.reported):
            return found
        fall_short(run.reported, self._reference(case, tests), tests)
        return verdict(case.expectations, tests.names, run.reported, run.ended)

    def _reference(self, case: Case, tests: Tests) -> Transcript:
        """Return what the grader reports of the reference answer, found out once."""
        key = (check_digest("python", case), case.reference or "")
        with self._lock:
            known = self._references.get(key)
        code = read_code(case, case.reference or "")
        if known is None:
            known = self._run(case, code, tests).reported if code is not None else Transcript()
            with self._lock:
                self._references[key] = known
        return known
