"""Compare output with the expected one, or by a program of the case; it never runs the answer."""

from collections.abc import Callable

from steelyard.checks.forms.io.compare import is_same
from steelyard.checks.toolchains.drivers.driver import drivers, with_tools
from steelyard.checks.toolchains.recipes.step_runner import StepRunner
from steelyard.model.case import Case
from steelyard.model.graded import Compare, InputOutput
from steelyard.ports import Sandbox

PROGRAM = "comparator.py"
FILES = ("stdin", "expected", "got")  # its three arguments

# Whether the output of a run is right.
IsRight = Callable[[InputOutput, str], bool]


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
    argv = (*recipe.io.run[:-1], PROGRAM, *FILES)

    def decide(test: InputOutput, printed: str) -> bool:
        texts = (expectations.comparator, test.stdin, test.stdout, printed)
        files = {**recipe.files, **dict(zip((PROGRAM, *FILES), texts, strict=True))}
        content = {name: text.encode() for name, text in files.items()}
        return runner.run(argv, content, case=case).succeeded

    return decide
