"""A trick that fools tests in its own process gets no pass by calls, nor by input and output."""

from collections.abc import Callable

import pytest

from steelyard.checks.forms.calls.checker import CallsChecker
from steelyard.checks.forms.io.checker import IoChecker
from steelyard.checks.toolchains.drivers.driver import drivers
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import FunctionCall, InputOutput
from steelyard.model.outcome import Integrity, Outcome
from tests.checks.forms.tests.answers import CPP, CRASH, FAIL, GO, JAVA, JS, PASS, TS, C, Planted
from tests.checks.forms.tests.collection import UNSTOPPABLE
from tests.checks.leftovers import used_sandbox

LIMIT_S = 30.0
Form = Callable[[str, str], Outcome]
# C++ by CMake is C++ in these forms.
TRICKS = [planted for planted in UNSTOPPABLE if planted.recipe in drivers()]
RIGHT = {"c": C, "cpp": CPP, "go": GO, "java": JAVA, "javascript": JS, "typescript": TS}
ADD = Expectations(
    function="add",
    calls=(FunctionCall(args=(1, 2), returns=3), FunctionCall(args=(-1, -2), returns=-3)),
    settings={"signature": "int add(int a, int b)"},
)
TOTAL = Expectations(
    function="total",
    calls=(FunctionCall(args=([1, 2],), returns=3), FunctionCall(args=([4, 5],), returns=9)),
)
GO_ADD = Expectations(function="Add", calls=ADD.calls)
SUMS = Expectations(
    io=(InputOutput(stdin="1 2\n", stdout="3\n"), InputOutput(stdin="-1 -2\n", stdout="-3\n"))
)
# What makes a program of a function; no names of it clash with those of a trick.
C_MAIN = (
    '\n#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", CALLED); }\n'
)
NODE_MAIN = (
    "import { readFileSync as read } from 'node:fs';\n"
    "const [first, second] = read(0, 'utf8').split(' ').map(Number);\nconsole.log(add(first, second));\n"
)
JAVA_MAIN = """\
    public static void main(String[] words) {
        var in = new java.util.Scanner(System.in);
        System.out.println(add(in.nextInt(), in.nextInt()));
    }
}
"""
GO_MAIN = """
func main() {
	var a, b int
	numbers.Scan(&a, &b)
	numbers.Println(Add(a, b))
}
"""


def program(language: str, code: str) -> str:
    """Return a function as a program that reads two numbers; what it told its channel, it prints."""
    code = code.replace('atoi(getenv("STEELYARD_CHANNEL"))', "1").replace(
        "Number(process.env.STEELYARD_CHANNEL)", "1"
    )
    code = code.replace('strconv.Atoi(os.Getenv("STEELYARD_CHANNEL"))', 'strconv.Atoi("1")')
    if language == "go":
        return code.replace("package sums\n", 'package main\n\nimport numbers "fmt"\n') + GO_MAIN
    if language == "java":
        start, _, rest = code.rpartition("}")
        return start + JAVA_MAIN + rest
    if language in {"c", "cpp"}:
        return code + C_MAIN.replace("CALLED", "add(a, b)" if language == "c" else "total({a, b})")
    typed = NODE_MAIN.replace("const [first, second]", "const [first, second]: number[]")
    return code + (typed if language == "typescript" else NODE_MAIN)


def called(language: str, code: str) -> Outcome:
    """Return the outcome by calls."""
    wanted = {"cpp": TOTAL, "go": GO_ADD}.get(language, ADD)
    case = Case(id="x", language=language, timeout_s=LIMIT_S, expectations=wanted)
    return CallsChecker(used_sandbox()).check(case, f"```{language}\n{code}```\n")


def run(language: str, code: str) -> Outcome:
    """Return the outcome by input and output."""
    case = Case(id="x", language=language, timeout_s=LIMIT_S, expectations=SUMS)
    return IoChecker(used_sandbox()).check(case, f"```{language}\n{program(language, code)}```\n")


@pytest.mark.check_all
@pytest.mark.parametrize("form", [called, run])
@pytest.mark.parametrize("language", RIGHT)
def test_the_right_answer_passes_in_these_forms(language: str, form: Form) -> None:
    outcome = form(language, RIGHT[language])

    assert (outcome.facts.classification, outcome.integrity) == (PASS, Integrity.SEALED), outcome.detail


@pytest.mark.check_all
@pytest.mark.parametrize("form", [called, run])
@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: f"{trick.recipe}: {trick.name}")
def test_a_trick_gains_nothing_in_these_forms(trick: Planted, form: Form) -> None:
    outcome = form(trick.recipe, trick.code)

    facts = outcome.facts
    assert facts.classification in {FAIL, CRASH}, outcome.detail
    assert (facts.built, facts.tests_passed) == (True, 0), outcome.detail  # it ran, and nothing came of it
    assert outcome.integrity is Integrity.SEALED
