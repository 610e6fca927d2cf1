"""Check answers by calls of one function: arguments go into the sandbox, results come out.

What is expected never enters the sandbox, so a line that claims a result is worth no more than the result.
"""

import json
import threading
import time
from dataclasses import dataclass, replace

from steelyard.checks.extraction.extract import Extracted, extract, extraction_tools
from steelyard.checks.forms.calls.c_call import c_call
from steelyard.checks.forms.calls.comparator import found_right
from steelyard.checks.forms.calls.compare import RULE, Rule
from steelyard.checks.forms.calls.results import read_results
from steelyard.checks.forms.calls.values import PlainDataError, of_plain, with_simple_tags, with_wide_tags
from steelyard.checks.forms.calls.verdict import Expected, in_doubt, verdict
from steelyard.checks.grading.demands import require_no_demands, with_custom_check
from steelyard.checks.grading.digests import check_digest
from steelyard.checks.grading.excerpts import explained
from steelyard.checks.python.job import read_code
from steelyard.checks.toolchains.drivers.driver import Driver, driver_of, with_tools
from steelyard.checks.toolchains.recipes.outcomes import built, running_files
from steelyard.checks.toolchains.recipes.runners import StepRunners
from steelyard.checks.toolchains.recipes.step_runner import Layout, StepRunner, layout_of
from steelyard.errors import InputError, SandboxError
from steelyard.model.case import Case, Expectations
from steelyard.model.execution import MIB
from steelyard.model.graded import Compare
from steelyard.model.outcome import Classification, Integrity, Outcome
from steelyard.ports import Sandbox

BUILD_S = 60.0  # a build may take this long at least: a case's limit is meant for what the answer does
REMEMBERED = 256  # cases whose arguments are kept encoded
# A right result is hardly longer than this many times what is expected, which bounds what has to be read.
LONGER, LONGEST_SHORT = 32, 1 << 16
ALL_LONGER, ALL_SPARE = 8, 8 * MIB  # decoded, they take up to 24 times as much
ANY_LENGTH = frozenset({Compare.EXISTS, Compare.PROGRAM})  # where `returns` says nothing about the length


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCalls:
    """The calls of a case: the message for the driver, and what is expected."""

    expectations: Expectations
    message: bytes
    expected: tuple[Expected, ...]
    longest: int  # bytes of a line that may be right
    output_bytes: int  # of all lines


class CallsChecker:
    """Checks by calls, in every language that has a driver; safe to call from many threads."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._lock = threading.Lock()
        self._runners = StepRunners(sandbox, with_tools)
        self._prepared: dict[tuple[int, str], PreparedCalls] = {}

    def check(self, case: Case, answer: str) -> Outcome:
        """Return what the calls of an answer's function gave."""
        began = time.monotonic()
        require_no_demands(case, "functions", "types", "max_lint_warnings")
        if case.dependencies:
            raise InputError(f"case {case.id}: calls cannot be checked with dependencies; leave them out")
        driver = driver_of(case.language)
        runner = self._runners.of(driver.recipe, case.environment)
        try:
            outcome = self._check(case, answer, driver, runner)
        except SandboxError as error:
            outcome = explained(Classification.ERROR, str(error))
        tools = {"compare": RULE, "driver": driver.digest, "program": runner.recipe.run[0]}
        return replace(
            outcome,
            check_digest=check_digest("calls", case, tools={**tools, **extraction_tools(case.language)}),
            check_us=round((time.monotonic() - began) * 1e6),
            integrity=Integrity.SEALED,
        )

    def _check(self, case: Case, answer: str, driver: Driver, runner: StepRunner) -> Outcome:
        prepared = self._calls(case)
        result = code_of(case, answer, driver.recipe.language)
        if result is None:
            return explained(
                Classification.WRONG_FORMAT, f"there is no {driver.recipe.language} code in the answer"
            )
        layout = _filled(layout_of(runner.recipe, case, result), case)
        files, ended = built(runner, layout, replace(case, timeout_s=max(case.timeout_s, BUILD_S)), io=False)
        if ended is not None:
            return ended
        ran = runner.run(
            layout.argv(runner.recipe.run),
            running_files(files, runner.recipe.artifacts, beside=layout.given),
            case=case,
            stdin=prepared.message,
            channel=True,
            output_bytes=prepared.output_bytes,
        )
        expectations = case.expectations
        results = read_results(
            ran.channel, calls=len(prepared.expected), longest=prepared.longest, nil=driver.nil
        )
        rule = Rule(
            like_python=driver.like_python,
            compare=expectations.compare or Compare.EXACT,
            tolerance=expectations.tolerance,
        )
        also_right = set[int]()
        if rule.compare is Compare.PROGRAM:
            also_right = found_right(case, self._sandbox, in_doubt(prepared.expected, rule, results))
        outcome = verdict(expectations, prepared.expected, rule, results, ran, also_right=also_right)
        return with_custom_check(outcome, case, result.code, self._sandbox)

    def _calls(self, case: Case) -> PreparedCalls:
        """Return the calls of a case, encoded once for all of its answers."""
        expectations, key = case.expectations, (id(case.expectations), case.language)
        with self._lock:
            known = self._prepared.get(key)
        if known is not None and known.expectations is expectations:
            return known
        prepared = prepare_calls(case)
        with self._lock:
            if len(self._prepared) >= REMEMBERED:
                self._prepared.clear()
            self._prepared[key] = prepared
        return prepared


def prepare_calls(case: Case) -> PreparedCalls:
    """Return the calls of a case in the form in which drivers read them, or say what is wrong with them."""
    expectations = case.expectations
    driver = driver_of(case.language)
    if any(call.kwargs for call in expectations.calls) and not driver.keywords:
        raise InputError(f"case {case.id}: {case.language} has no keyword arguments; leave out kwargs")
    if driver.signature and "signature" not in expectations.settings:
        raise InputError(
            f"case {case.id}: calls in {case.language} need the function's signature; "
            f'add settings.signature = "int {expectations.function}(int, int)" or the like'
        )
    try:
        for call in expectations.calls:
            of_plain([*call.args, *call.kwargs.values()])
        args = [
            list(call.args) if driver.like_python else with_wide_tags(call.args)
            for call in expectations.calls
        ]
        args = [with_simple_tags(arg) for arg in args] if driver.simple_tags else args
        pairs = [[list(pair) for pair in call.kwargs.items()] for call in expectations.calls]
        calls = list(zip(args, pairs, strict=True))
        message = json.dumps({"function": expectations.function, "calls": calls}, allow_nan=False)
        expected = tuple(
            Expected(call=call, value=of_plain(call.returns), name=call.name or f"call {number}")
            for number, call in enumerate(expectations.calls, start=1)
        )
    except (PlainDataError, TypeError, ValueError) as error:
        raise InputError(f"case {case.id}: the calls are no plain data: {error}") from None
    sizes = [len(json.dumps(call.returns)) for call in expectations.calls]
    spare = ALL_SPARE if expectations.compare in ANY_LENGTH else LONGEST_SHORT
    lengths = [LONGER * size + spare for size in sizes]
    return PreparedCalls(
        expectations=expectations,
        message=message.encode(),
        expected=expected,
        longest=max(lengths, default=0),
        output_bytes=min(sum(lengths), ALL_LONGER * sum(sizes) + ALL_SPARE),
    )


def code_of(case: Case, answer: str, language: str, *, is_program: bool = False) -> Extracted | None:
    """Return the code in an answer, or None; in Python with the case's own code before it."""
    if language != "python":
        result = extract(answer, language, files=case.files, is_program=is_program)
        return result if result.found else None
    code = read_code(case, answer, is_program=is_program)
    return None if code is None else Extracted(code=code.main, files=code.files)


def _filled(layout: Layout, case: Case) -> Layout:
    """Return the files with the names of function and package in the driver's sources."""
    signature = case.expectations.settings.get("signature", "")
    words = {
        "STEELYARD_CALL": c_call(signature) if layout.recipe.language == "c" else "",
        "STEELYARD_FUNCTION": case.expectations.function,
        "STEELYARD_PACKAGE": layout.words["package"],
        "STEELYARD_CLASS": layout.words["answer_name"],
    }
    given = dict(layout.given)
    for path in layout.recipe.files:
        text = given[path].decode()
        for word, value in words.items():
            text = text.replace(word, value)
        given[path] = text.encode()
    return replace(layout, given=given)
