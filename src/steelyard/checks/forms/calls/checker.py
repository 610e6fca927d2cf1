"""Check answers by calls of one function.

Expected results never enter the sandbox, so an answer gains nothing by writing results itself.
"""

import json
import threading
import time
from dataclasses import dataclass, replace

from steelyard.checks.extraction.extract import Extracted, extract, extraction_tools
from steelyard.checks.forms.calls.c_call import c_call
from steelyard.checks.forms.calls.comparator import accepted_by_comparator
from steelyard.checks.forms.calls.compare import RULE, Rule
from steelyard.checks.forms.calls.results import read_results
from steelyard.checks.forms.calls.values import PlainDataError, of_plain, with_simple_tags, with_wide_tags
from steelyard.checks.forms.calls.verdict import Expected, differing_results, verdict
from steelyard.checks.grading.demands import require_no_demands, with_custom_check
from steelyard.checks.grading.digests import check_digest
from steelyard.checks.grading.excerpts import explained
from steelyard.checks.toolchains.drivers.driver import Driver, driver_of, with_tools
from steelyard.checks.toolchains.python.job import read_code
from steelyard.checks.toolchains.recipes.outcomes import built, running_files
from steelyard.checks.toolchains.recipes.runners import StepRunners
from steelyard.checks.toolchains.recipes.step_runner import Layout, StepRunner, layout_of
from steelyard.errors import InputError, SandboxError
from steelyard.model.case import Case, Expectations
from steelyard.model.execution import MIB
from steelyard.model.graded import Compare
from steelyard.model.outcome import Classification, Integrity, Outcome
from steelyard.ports import Sandbox

BUILD_S = 60.0  # minimal limit of builds: the case states the limit of the answer's run
REMEMBERED = 256  # cases with cached encoded calls
# Longest accepted results: a multiple of the expected length, plus a constant.
LONGER, SPARE = 32, 1 << 16
ALL_LONGER, ALL_SPARE = 8, 8 * MIB  # for all results; decoded values take up to 24 times as much
ANY_LENGTH = frozenset({Compare.EXISTS, Compare.PROGRAM})  # comparisons where results may have any length


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCalls:
    """The calls of a case: the message to the driver, and the expected results."""

    expectations: Expectations
    message: bytes
    expected: tuple[Expected, ...]
    longest: int  # bytes of an accepted line
    output_bytes: int  # of all lines


class CallsChecker:
    """Checks by calls in every language with a driver; thread-safe."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._lock = threading.Lock()
        self._runners = StepRunners(sandbox, with_tools)
        self._prepared: dict[tuple[int, str], PreparedCalls] = {}

    def check(self, case: Case, answer: str) -> Outcome:
        """Return the outcome of calling an answer's function."""
        began = time.monotonic()
        require_no_demands(case, "functions", "types", "max_lint_warnings")
        if case.dependencies:
            raise InputError(f"case {case.id}: calls do not support dependencies; leave them out")
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
        extracted = code_of(case, answer, driver.recipe.language)
        if extracted is None:
            return explained(
                Classification.WRONG_FORMAT, f"the answer contains no {driver.recipe.language} code"
            )
        layout = _fill_names(layout_of(runner.recipe, case, extracted), case)
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
        accepted = set[int]()
        if rule.compare is Compare.PROGRAM:
            accepted = accepted_by_comparator(
                case, self._sandbox, differing_results(prepared.expected, rule, results)
            )
        outcome = verdict(expectations, prepared.expected, rule, results, ran, accepted=accepted)
        return with_custom_check(outcome, case, extracted.code, self._sandbox)

    def _calls(self, case: Case) -> PreparedCalls:
        """Return the encoded calls of a case, cached for all its answers."""
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
    """Encode the calls of a case for its driver; raises InputError if they are invalid."""
    expectations = case.expectations
    driver = driver_of(case.language)
    if any(call.kwargs for call in expectations.calls) and not driver.keywords:
        raise InputError(
            f"case {case.id}: {case.language} does not support keyword arguments; leave out kwargs"
        )
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
        raise InputError(f"case {case.id}: the calls are not plain data: {error}") from None
    sizes = [len(json.dumps(call.returns)) for call in expectations.calls]
    spare = ALL_SPARE if expectations.compare in ANY_LENGTH else SPARE
    lengths = [LONGER * size + spare for size in sizes]
    return PreparedCalls(
        expectations=expectations,
        message=message.encode(),
        expected=expected,
        longest=max(lengths, default=0),
        output_bytes=min(sum(lengths), ALL_LONGER * sum(sizes) + ALL_SPARE),
    )


def code_of(case: Case, answer: str, language: str, *, is_program: bool = False) -> Extracted | None:
    """Return the code of an answer, or None; in Python it starts with the case's prefix."""
    if language != "python":
        extracted = extract(answer, language, files=case.files, is_program=is_program)
        return extracted if extracted.is_code else None
    code = read_code(case, answer, is_program=is_program)
    return None if code is None else Extracted(code=code.main, files=code.files)


def _fill_names(layout: Layout, case: Case) -> Layout:
    """Fill the names of function and package into the driver's sources."""
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
