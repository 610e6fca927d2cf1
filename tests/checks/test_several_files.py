"""An answer in several files: each finds the others, in every language and form of tests."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from steelyard.checks.forms.calls.checker import CallsChecker
from steelyard.checks.forms.io.checker import IoChecker
from steelyard.checks.forms.tests.checker import CommandChecker
from steelyard.checks.toolchains.drivers.driver import warm_options
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import FunctionCall, InputOutput
from steelyard.model.outcome import Classification, Outcome
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

READ = "import { readFileSync } from 'node:fs';\n"
PRINT = "console.log(twice(Number(readFileSync(0, 'utf8'))));\n"
C_HELPER = {
    "helper.h": "int twice(int n);\n",
    "helper.c": '#include "helper.h"\nint twice(int n) { return 2 * n; }\n',
}
CPP_HELPER = {"helper.h": C_HELPER["helper.h"], "helper.cc": C_HELPER["helper.c"]}
C_MAIN = (
    '#include <stdio.h>\n#include "helper.h"\n'
    'int main(void) { int n; scanf("%d", &n); printf("%d", twice(n)); }\n'
)
PROGRAMS = {
    "python": {
        "main.py": "from helper import twice\nprint(twice(int(input())))\n",
        "helper.py": "def twice(n):\n    return 2 * n\n",
    },
    "javascript": {
        "main.js": f"import {{ twice }} from './helper.js';\n{READ}{PRINT}",
        "helper.js": "export function twice(n) { return 2 * n; }\n",
    },
    "typescript": {
        "main.ts": f"import {{ twice }} from './helper.js';\n{READ}{PRINT}",
        "helper.ts": "export function twice(n: number): number { return 2 * n; }\n",
    },
    "ts": {
        "main.ts": f"import {{ twice }} from './helper.mjs';\n{READ}{PRINT}",
        "helper.mts": "export function twice(n: number): number { return 2 * n; }\n",
    },
    "c": {"main.c": C_MAIN, **C_HELPER},
    "cpp": {"main.cpp": C_MAIN, **CPP_HELPER},
}
FUNCTIONS = {
    "python": {
        "answer.py": "from helper import twice\ndef f(n):\n    return twice(n)\n",
        "helper.py": PROGRAMS["python"]["helper.py"],
    },
    "typescript": {
        "answer.ts": "import { twice } from './helper.js';\nexport const f = (n: number) => twice(n);\n",
        "helper.ts": PROGRAMS["typescript"]["helper.ts"],
    },
    "c": {"answer.c": '#include "helper.h"\nint f(int n) { return twice(n); }\n', **C_HELPER},
    "cpp": {"answer.cpp": '#include "helper.h"\nint f(int n) { return twice(n); }\n', **CPP_HELPER},
    "go": {
        "answer.go": "package answer\n\nfunc f(n int) int { return twice(n) }\n",
        "helper.go": "package answer\n\nfunc twice(n int) int { return 2 * n }\n",
    },
    "java": {
        "Answer.java": "public class Answer { public static int f(int n) { return Helper.twice(n); } }\n",
        "Helper.java": "class Helper { static int twice(int n) { return 2 * n; } }\n",
    },
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[WarmPythonSandbox]:
    made = WarmPythonSandbox(**warm_options())
    yield made
    made.close()


def answer(language: str, files: dict[str, str]) -> str:
    return "\n".join(f"`{name}`:\n```{language}\n{text}```\n" for name, text in files.items())


def ends_in(outcome: Outcome) -> tuple[Classification | None, str]:
    passes = outcome.facts.classification is Classification.PASS
    return outcome.facts.classification, "" if passes else outcome.detail


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_program_finds_its_other_files(language: str, sandbox: WarmPythonSandbox) -> None:
    wanted = Expectations(io=(InputOutput(stdin="3\n", stdout="6\n"),))
    case = Case(id="twice", language=language, timeout_s=20.0, expectations=wanted)

    outcome = IoChecker(sandbox).check(case, answer(language, PROGRAMS[language]))

    assert ends_in(outcome) == (Classification.PASS, "")


@pytest.mark.parametrize("language", FUNCTIONS)
def test_a_function_finds_its_other_files(language: str, sandbox: WarmPythonSandbox) -> None:
    calls = (FunctionCall(args=(3,), returns=6),)
    wanted = Expectations(function="f", calls=calls, settings={"signature": "int f(int)"})
    case = Case(id="twice", language=language, timeout_s=20.0, expectations=wanted)

    outcome = CallsChecker(sandbox).check(case, answer(language, FUNCTIONS[language]))

    assert ends_in(outcome) == (Classification.PASS, "")


JAVA_ENTRY = "public record Entry(int value) {}\n"
JAVA_ANSWER = (
    "public class Calc {\n    public static int f(int n) { return 2 * new Entry(n).value(); }\n"
    "    public static void main(String[] words) { System.out.println(f(3)); }\n}\n"
)


@pytest.mark.parametrize("texts", [(JAVA_ENTRY, JAVA_ANSWER), (JAVA_ANSWER, JAVA_ENTRY)])
def test_public_types_of_java_need_no_names_above_them(
    texts: tuple[str, str], sandbox: WarmPythonSandbox
) -> None:
    answered = "\nThen:\n".join(f"```java\n{text}```\n" for text in texts)
    called = Expectations(function="f", calls=(FunctionCall(args=(3,), returns=6),))
    run = Expectations(io=(InputOutput(stdin="", stdout="6\n"),))
    case = Case(id="twice", language="java", timeout_s=20.0, expectations=called)

    outcomes = [
        CallsChecker(sandbox).check(case, answered),
        IoChecker(sandbox).check(replace(case, expectations=run), answered),
    ]

    assert [ends_in(outcome) for outcome in outcomes] == [(Classification.PASS, "")] * 2


TESTED = {
    "typescript": "import test from 'node:test';\nimport assert from 'node:assert/strict';\n"
    "import { f } from './answer.js';\ntest('doubles', () => assert.equal(f(3), 6));\n",
    "c": '#include "graded.h"\nint f(int n);\nTEST(doubles) { CHECK(f(3) == 6); }\n',
    "cpp": '#include "graded.h"\nint f(int n);\nTEST(doubles) { CHECK(f(3) == 6); }\n',
}


@pytest.mark.parametrize("language", TESTED)
def test_graded_tests_find_an_answer_in_several_files(language: str, sandbox: WarmPythonSandbox) -> None:
    wanted = Expectations(tests=TESTED[language])
    case = Case(id="twice", language=language, timeout_s=20.0, expectations=wanted)

    outcome = CommandChecker(sandbox).check(case, answer(language, FUNCTIONS[language]))

    assert ends_in(outcome) == (Classification.PASS, "")


def test_no_file_of_an_answer_takes_the_place_of_ours(sandbox: WarmPythonSandbox) -> None:
    """A second file that is compiled to the name of the reporter would report what it likes."""
    forged = {
        "answer.ts": "import './reporter.mjs';\nexport const f = (n: number) => 0;\n",
        "reporter.mts": "export default async function* r() {}\nexport const isTaken = Promise.resolve();\n",
    }
    wanted = Expectations(tests=TESTED["typescript"])
    case = Case(id="twice", language="typescript", timeout_s=20.0, expectations=wanted)

    outcome = CommandChecker(sandbox).check(case, answer("typescript", forged))

    assert outcome.facts.classification is Classification.FAIL


def test_a_program_goes_as_deep_as_alone() -> None:
    wanted = Expectations(io=(InputOutput(stdin="", stdout="998\n"),))
    case = Case(id="deep", language="python", timeout_s=20.0, expectations=wanted)
    deep = "def f(n):\n    return n and 1 + f(n - 1)\n\n\nprint(f(998))\n"

    outcome = IoChecker(BubblewrapSandbox()).check(case, f"```python\n{deep}```")

    assert ends_in(outcome) == (Classification.PASS, "")


def test_a_program_that_raises_shows_its_own_lines_alone(sandbox: WarmPythonSandbox) -> None:
    wanted = Expectations(io=(InputOutput(stdin="", stdout="6\n"),))
    case = Case(id="raises", language="python", timeout_s=20.0, expectations=wanted)

    outcome = IoChecker(sandbox).check(case, "```python\nprint(1 / int('0'))\n```")

    assert "ZeroDivisionError" in outcome.detail
    assert "runpy" not in outcome.detail
    assert "steelyard_start" not in outcome.detail
