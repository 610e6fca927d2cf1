"""Check answers in Python: run the case's tests against them in one sandboxed process."""

import time
from dataclasses import replace

from steelyard.checks.extraction.extract import extraction_tools
from steelyard.checks.grading.demands import require_no_demands, with_custom_check
from steelyard.checks.grading.digests import check_digest
from steelyard.checks.toolchains.python.environment import interpreter_of
from steelyard.checks.toolchains.python.evidence import Evidence, SealedCase, seal_case
from steelyard.checks.toolchains.python.interpreter import Interpreter
from steelyard.checks.toolchains.python.job import (
    MAX_CACHED_CASES,
    AnswerCode,
    command,
    read_code,
    read_tests,
)
from steelyard.checks.toolchains.python.sealing import SealedCount
from steelyard.checks.toolchains.python.tests_source import TestsSource
from steelyard.checks.toolchains.python.transcript import read
from steelyard.checks.toolchains.python.verdict import outcome_of
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.execution import ExecResult
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.ports import Sandbox

VERSION = "8"  # of the grading rules; raised when an equal answer may get a different outcome
WRONG_FORMAT = Facts(classification=Classification.WRONG_FORMAT)


class PythonChecker:
    """Checks answers in Python; thread-safe.

    A warm sandbox that has `interpreter` and pytest loaded makes a check several times as fast.
    """

    def __init__(self, sandbox: Sandbox, *, interpreter: Interpreter | None = None) -> None:
        self._sandbox = sandbox
        self._fixed_interpreter = interpreter
        self._sealed_cases: dict[str, SealedCase] = {}  # by digest

    def check(self, case: Case, answer: str) -> Outcome:
        """Return the outcome of a model's raw answer."""
        require_no_demands(case, "max_lint_warnings")
        tests, code = read_tests(case), read_code(case, answer)
        tools = {"grader": VERSION, "python": self._interpreter(case).program, **extraction_tools("python")}
        digest = check_digest("python", case, tools=tools)
        if code is None:
            outcome = Outcome(facts=WRONG_FORMAT, check_digest=digest, detail="no Python code in the answer")
            return _with_integrity(outcome, seal_case(tests).count())
        started = time.monotonic()
        try:
            evidence, result = self._run(case, code, self._sealed_case(case, tests, digest))
            outcome = outcome_of(case.expectations, tests.names, evidence.decided(), result)
            outcome = with_custom_check(outcome, case, code.main, self._sandbox)
        except SandboxError as error:
            facts = Facts(classification=Classification.ERROR)
            return Outcome(facts=facts, check_digest=digest, detail=str(error))
        is_pass = outcome.facts.classification is Classification.PASS
        return replace(
            _with_integrity(outcome, evidence.count() if is_pass else evidence.case.count()),
            check_digest=digest,
            check_us=round((time.monotonic() - started) * 1e6),
            peak_memory_bytes=result.peak_memory_bytes,
        )

    def _run(self, case: Case, code: AnswerCode, sealed: SealedCase) -> tuple[Evidence, ExecResult]:
        """Run the tests.

        Without a reference, values that are not plain data are compared inside, in a second run.
        """
        evidence, result = self._run_once(case, code, sealed)
        if sealed.reference is None and (numbers := evidence.not_plain()):
            return self._run_once(case, code, seal_case(read_tests(case), open_numbers=numbers))
        return evidence, result

    def _run_once(self, case: Case, code: AnswerCode, sealed: SealedCase) -> tuple[Evidence, ExecResult]:
        result = self._sandbox.run(command(case, code, sealed.tests, self._interpreter(case)))
        return Evidence(sealed, read(result.channel)), result

    def _sealed_case(self, case: Case, tests: TestsSource, digest: str) -> SealedCase:
        """Return the sealed tests of a case with its reference's run; cached."""
        key = f"{digest} {case.reference}"
        sealed = self._sealed_cases.get(key)
        if sealed is None:
            sealed = self._seal_by_reference(case, tests)
            if len(self._sealed_cases) >= MAX_CACHED_CASES:
                self._sealed_cases.clear()
            self._sealed_cases[key] = sealed
        return sealed

    def _seal_by_reference(self, case: Case, tests: TestsSource) -> SealedCase:
        """Seal the assertions that the reference meets, and record how often it reaches each."""
        sealed, code = seal_case(tests), read_code(case, case.reference or "")
        if code is None or not case.reference:
            return sealed
        evidence, _ = self._run_once(case, code, sealed)
        if unmet := evidence.unmet():
            evidence, _ = self._run_once(case, code, seal_case(tests, open_numbers=unmet))
        reference = evidence.as_reference()
        return replace(evidence.case, reference=reference) if reference else sealed

    def _interpreter(self, case: Case) -> Interpreter:
        return self._fixed_interpreter or interpreter_of(case.environment)


def _with_integrity(outcome: Outcome, count: SealedCount) -> Outcome:
    return replace(
        outcome, integrity=count.integrity, sealed_assertions=count.sealed, open_assertions=count.open
    )
