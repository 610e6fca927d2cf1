"""Run a program once per input and count the runs with the expected output."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from steelyard.checks.forms.calls.values import shown
from steelyard.checks.forms.io.compare import is_same
from steelyard.checks.grading.demands import verdict_of_tests
from steelyard.checks.toolchains.drivers.driver import drivers, with_tools
from steelyard.checks.toolchains.recipes.outcomes import counted, limited, running_files, untested
from steelyard.checks.toolchains.recipes.step_runner import Layout, StepRunner
from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.execution import MIB, ExecResult, Stream
from steelyard.model.graded import Compare, InputOutput
from steelyard.model.outcome import Classification, Integrity, NoTests, Outcome
from steelyard.ports import Sandbox

LONGER, SPARE = 4, 1 << 16  # limit of kept output: a multiple of the expected length, plus a constant
COMPARATOR = "comparator.py"
ARGUMENTS = ("stdin", "expected", "got")  # files for the comparator

# Whether the output of a run is right.
IsRight = Callable[[InputOutput, str], bool]


def run_programs(  # noqa: PLR0913  # the program and its inputs
    runner: StepRunner,
    layout: Layout,
    case: Case,
    files: Mapping[str, bytes],
    *,
    tests: Sequence[InputOutput],
    is_right: IsRight,
) -> Outcome:
    """Run a program once per test; expected output stays outside the sandbox."""
    program = layout.recipe.io
    files = running_files(files, program.artifacts, beside=case.files)
    passed, worst, last, wrong = 0, None, None, list[str]()
    for number, test in enumerate(tests, start=1):
        last = runner.run(
            (*layout.argv(program.run), *test.args),
            files,
            case=case,
            stdin=test.stdin.encode(),
            output_bytes=max(MIB, LONGER * len(test.stdout.encode()) + SPARE),
        )
        worst = worst or limited(last) or (Classification.CRASH if last.signal else None)
        flaw = _flaw(last.stdout)
        if last.succeeded and not flaw and is_right(test, last.stdout.decoded()):
            passed += 1
        else:
            wrong.append(f"{test.name or f'run {number}'}: {_problem(test, last, flaw, case.expectations)}")
        if worst is Classification.TIMEOUT:
            break  # other runs would time out too
    if last is None:
        return replace(untested(case, NoTests.NONE_DEFINED), integrity=Integrity.SEALED)
    kind = worst or verdict_of_tests(
        should_pass=case.expectations.should_pass_tests, passed=passed, failed=len(tests) - passed
    )
    outcome = counted(kind, last, layout, (passed, len(tests) - passed, 0), "\n".join(wrong))
    return replace(outcome, integrity=Integrity.SEALED)


def _problem(test: InputOutput, ended: ExecResult, flaw: str, expectations: Expectations) -> str:
    """Describe a run and its expected output, which a comparator may not need."""
    expected = f"expected {shown(test.stdout)}"
    if expectations.compare is Compare.PROGRAM and not test.stdout:
        expected = "expected output that the comparator accepts"
    end = ""
    if ended.signal:
        end = f", killed by signal {ended.signal}"
    elif ended.exit_code and not ended.limit:
        end, expected = f", exit code {ended.exit_code}", f"{expected} and exit code 0"
    return f"printed {shown(ended.stdout.decoded())}{flaw}{end}, {expected}"


def _flaw(output: Stream) -> str:
    """Return why an output can never be right, or an empty text."""
    if output.truncated:
        return ", truncated"
    try:
        output.text.decode()
    except UnicodeDecodeError:  # decoded with replacements, it could equal the expected text
        return ", not UTF-8"
    return ""


def io_tests(case: Case) -> tuple[InputOutput, ...]:
    """Return the inputs and outputs of a case; in `tests` they are [[tests]] in TOML."""
    if case.expectations.io:
        return case.expectations.io
    try:
        tables = tomllib.loads(case.expectations.tests).get("tests", [])
        return tuple(InputOutput(**{**table, "args": tuple(table.get("args", ()))}) for table in tables)
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise InputError(
            f"case {case.id}: `tests` are not [[tests]] with inputs and outputs: {error}"
        ) from None


def comparison_of(case: Case, sandbox: Sandbox) -> IsRight:
    """Return the comparison of a case."""
    expectations = case.expectations
    compare = expectations.compare or Compare.LINES
    if compare is not Compare.PROGRAM:
        return lambda test, printed: is_same(
            test.stdout, printed, compare=compare, tolerance=expectations.tolerance
        )
    recipe = with_tools(drivers()["python"].recipe)
    runner = StepRunner(sandbox, recipe)
    argv = (*recipe.io.run[:-1], COMPARATOR, *ARGUMENTS)

    def decide(test: InputOutput, printed: str) -> bool:
        texts = (expectations.comparator, test.stdin, test.stdout, printed)
        files = {**recipe.files, **dict(zip((COMPARATOR, *ARGUMENTS), texts, strict=True))}
        content = {name: text.encode() for name, text in files.items()}
        return runner.run(argv, content, case=case).succeeded

    return decide
