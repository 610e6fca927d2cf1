"""Run a program once for each input, and count the runs that print what is expected."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from steelyard.checks.forms.calls.values import shown
from steelyard.checks.forms.io.comparator import Judge
from steelyard.checks.grading.demands import verdict_of_tests
from steelyard.checks.toolchains.recipes.outcomes import counted, limited, running_files, untested
from steelyard.checks.toolchains.recipes.step_runner import Layout, StepRunner
from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.execution import MIB, ExecResult, Stream
from steelyard.model.graded import Compare, InputOutput
from steelyard.model.outcome import Classification, Integrity, NoTests, Outcome

LONGER, SHORT = 4, 1 << 16  # output is kept up to so many times what is expected, and a little more


def run_programs(  # noqa: PLR0913  # what is run, and on what
    runner: StepRunner,
    layout: Layout,
    case: Case,
    files: Mapping[str, bytes],
    *,
    tests: Sequence[InputOutput],
    judge: Judge,
) -> Outcome:
    """Run a program once for each test; what is expected stays outside."""
    program = layout.recipe.io
    files = running_files(files, program.artifacts, beside=case.files)
    passed, worst, last, wrong = 0, None, None, list[str]()
    for number, test in enumerate(tests, start=1):
        last = runner.run(
            (*layout.argv(program.run), *test.args),
            files,
            case=case,
            stdin=test.stdin.encode(),
            output_bytes=max(MIB, LONGER * len(test.stdout.encode()) + SHORT),
        )
        worst = worst or limited(last) or (Classification.CRASH if last.signal else None)
        flaw = _flaw(last.stdout)
        if last.succeeded and not flaw and judge(test, last.stdout.decoded()):
            passed += 1
        else:
            wrong.append(f"{test.name or f'run {number}'}: {_problem(test, last, flaw, case.expectations)}")
        if worst is Classification.TIMEOUT:
            break  # the others would take their time too
    if last is None:
        return replace(untested(case, NoTests.NONE_DEFINED), integrity=Integrity.SEALED)
    kind = worst or verdict_of_tests(
        should_pass=case.expectations.should_pass_tests, passed=passed, failed=len(tests) - passed
    )
    outcome = counted(kind, last, layout, (passed, len(tests) - passed, 0), "\n".join(wrong))
    return replace(outcome, integrity=Integrity.SEALED)


def _problem(test: InputOutput, ended: ExecResult, flaw: str, wanted: Expectations) -> str:
    """Return what a run did and what was expected; a comparator may do without an expected output."""
    hope = f"expected {shown(test.stdout)}"
    if wanted.compare is Compare.PROGRAM and not test.stdout:
        hope = "expected what the comparator accepts"
    end = ""
    if ended.signal:
        end = f", killed by signal {ended.signal}"
    elif ended.exit_code and not ended.limit:
        end, hope = f", exit code {ended.exit_code}", f"{hope} and exit code 0"
    return f"printed {shown(ended.stdout.decoded())}{flaw}{end}, {hope}"


def _flaw(output: Stream) -> str:
    """Return why an output is wrong whatever is expected, or nothing."""
    if output.truncated:
        return ", and more than is kept"
    try:
        output.text.decode()
    except UnicodeDecodeError:  # repaired, it could equal what is expected
        return ", and its output is not UTF-8"
    return ""


def io_tests(case: Case) -> tuple[InputOutput, ...]:
    """Return the tests of a case by input and output; as text they are [[tests]] in TOML."""
    if case.expectations.io:
        return case.expectations.io
    try:
        result = tomllib.loads(case.expectations.tests).get("tests", [])
        return tuple(InputOutput(**{**test, "args": tuple(test.get("args", ()))}) for test in result)
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise InputError(f"case {case.id}: tests by input and output cannot be read: {error}") from None
