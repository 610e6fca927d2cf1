"""Check answers in Python: run the case's tests against them in one sandboxed process."""

import threading
import time
from collections import OrderedDict
from dataclasses import replace

from steelyard.checks.demands import require_no_demands, with_custom_check
from steelyard.checks.digests import check_digest
from steelyard.checks.extraction.extract import extraction_tools
from steelyard.checks.python.environment import interpreter_of
from steelyard.checks.python.evidence import Evidence, SealedCase, seal_case
from steelyard.checks.python.interpreter import Interpreter
from steelyard.checks.python.job import REMEMBERED, AnswerCode, command, read_code, read_tests
from steelyard.checks.python.sealing import SealedCount
from steelyard.checks.python.tests_source import TestsSource
from steelyard.checks.python.transcript import read
from steelyard.checks.python.verdict import outcome_of
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.execution import ExecResult
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.ports import Sandbox

VERSION = "7"  # of what a check means; raised when an equal answer may get another outcome
WRONG_FORMAT = Facts(classification=Classification.WRONG_FORMAT)


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
            return _with_integrity(outcome, seal_case(tests).count())
        began = time.monotonic()
        try:
            evidence, ended = self._run(case, code, self._sealed(case, tests))
            outcome = outcome_of(case.expectations, tests.names, evidence.decided(), ended)
            outcome = with_custom_check(outcome, case, code.main, self._sandbox)
            is_pass = outcome.facts.classification is Classification.PASS
            count = evidence.count() if is_pass else evidence.case.count()
        except SandboxError as error:
            facts = Facts(classification=Classification.ERROR)
            return Outcome(facts=facts, check_digest=digest, detail=str(error))
        return replace(
            _with_integrity(outcome, count),
            check_digest=digest,
            check_us=round((time.monotonic() - began) * 1e6),
            peak_memory_bytes=ended.peak_memory_bytes,
        )

    def _run(self, case: Case, code: AnswerCode, sealed: SealedCase) -> tuple[Evidence, ExecResult]:
        """Run the tests.

        Without a reference's run, a second one compares inside what the first cannot report as plain data.
        """
        evidence, ended = self._run_once(case, code, sealed)
        if sealed.reference is None and (numbers := evidence.not_plain()):
            return self._run_once(case, code, seal_case(read_tests(case), open_numbers=numbers))
        return evidence, ended

    def _run_once(self, case: Case, code: AnswerCode, sealed: SealedCase) -> tuple[Evidence, ExecResult]:
        ended = self._sandbox.run(command(case, code, sealed.tests, self._interpreter(case)))
        return Evidence(sealed, read(ended.channel)), ended

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
        sealed, code = seal_case(tests), read_code(case, case.reference or "")
        if code is None or not case.reference:
            return sealed
        evidence, _ = self._run_once(case, code, sealed)
        if unmet := evidence.unmet():
            evidence, _ = self._run_once(case, code, seal_case(tests, open_numbers=unmet))
        reference = evidence.as_reference()
        return replace(evidence.case, reference=reference) if reference else sealed

    def _interpreter(self, case: Case) -> Interpreter:
        return self._given or interpreter_of(case.environment)


def _with_integrity(outcome: Outcome, count: SealedCount) -> Outcome:
    return replace(
        outcome, integrity=count.integrity, sealed_assertions=count.sealed, open_assertions=count.open
    )
