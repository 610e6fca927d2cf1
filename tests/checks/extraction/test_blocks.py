"""Of an answer in several blocks, what belongs to it is taken, and what only tests or shows it is not."""

import pytest

from steelyard.checks.extraction.extract import extract

ANSWERS = {
    "java": "public class Calc { public static int f(int x) { return 2 * x; } }\n",
    "go": "package calc\n\nfunc F(x int) int { return 2 * x }\n",
    "javascript": "function f(x) { return 2 * x; }\nmodule.exports = f;\n",
    "typescript": "export function f(x: number): number { return 2 * x; }\n",
    "python": "def f(x):\n    return 2 * x\n",
}
JUNIT = (
    "import org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\n\n"
    "class CalcTest { @Test void doubles() { assertEquals(4, Calc.f(2)); } }\n"
)
TESTIFY = (
    "package calc_test\n\n"
    'import (\n\t"testing"\n\n\t"example.com/calc"\n\t"github.com/stretchr/testify/assert"\n)\n\n'
    "func TestF(t *testing.T) { assert.Equal(t, 4, calc.F(2)) }\n\n"
    "func BenchmarkF(b *testing.B) { calc.F(2) }\n"
)
JEST = 'describe("f", () => { it("doubles", () => { expect(f(2)).toBe(4); }); });\n'
SHOWN = "const result = f(2);\nconsole.log(result);\n"
ADDED = [
    ("java", JUNIT),
    (
        "java",
        "import org.testng.annotations.Test;\n\npublic class TestCalc { @Test public void doubles() {} }\n",
    ),
    ("go", TESTIFY),
    ("go", 'package calc\n\nimport "testing"\n\nfunc TestF(t *testing.T) {}\n'),
    ("python", "import unittest\nfrom calc import f\n\nclass TestDoubles(unittest.TestCase):\n    pass\n"),
    *(
        (language, f"{imported}\n{used}")
        for language in ("javascript", "typescript")
        for used in (JEST, SHOWN, "console.log(f(2));\n")
        for imported in (
            'const f = require("./f");',
            "const { f } = require('./f.js');",
            'const {\n  f,\n} = await import("./f.js");',
            'import { f } from "./f.js";',
            "import * as all from 'vitest';\nimport {\n  f,\n} from './f';",
        )
    ),
]


def fenced(language: str, *texts: str) -> str:
    return "\nThen:\n".join(f"```{language}\n{text}```\n" for text in texts)


@pytest.mark.parametrize(("language", "added"), ADDED)
def test_tests_and_examples_behind_an_answer_that_import_it_are_left_out(language: str, added: str) -> None:
    assert extract(fenced(language, ANSWERS[language], added), language).code == ANSWERS[language]


@pytest.mark.parametrize(("language", "tests"), [("java", JUNIT), ("go", TESTIFY)])
def test_tests_before_an_answer_are_left_out_too(language: str, tests: str) -> None:
    assert extract(fenced(language, tests, ANSWERS[language]), language).code == ANSWERS[language]


@pytest.mark.parametrize("names", [("Calc.java", "CalcTest.java"), ("CalcTest.java", "Calc.java")])
def test_a_file_of_tests_by_a_library_is_no_file_of_an_answer(names: tuple[str, str]) -> None:
    texts = {"Calc.java": ANSWERS["java"], "CalcTest.java": JUNIT}

    found = extract("\n".join(f"`{name}`:\n{fenced('java', texts[name])}" for name in names), "java")

    assert found.files == {"Calc.java": ANSWERS["java"]}


def test_an_answer_that_is_nothing_but_tests_is_taken_as_it_stands() -> None:
    assert extract(fenced("java", JUNIT), "java").code == JUNIT
    assert extract(fenced("java", JUNIT, JUNIT), "java").code == JUNIT


@pytest.mark.parametrize(
    ("language", "second"),
    [
        ("go", 'package calc\n\nimport "testing"\n\nfunc Speed() testing.BenchmarkResult { return run() }\n'),
        ("java", "class Latest { int test; }\n"),
        ("javascript", 'import { readFileSync } from "fs";\nexport const g = () => readFileSync(0);\n'),
        ("javascript", 'const { readFileSync } = require("fs");\nconst g = () => readFileSync(0);\n'),
        ("python", "from math import gcd\n\ndef test_gcd(x):\n    return gcd(x, 2)\n"),
    ],
)
def test_a_block_that_defines_more_is_a_part_of_the_answer(language: str, second: str) -> None:
    body = second.splitlines()[-1]

    found = extract(fenced(language, ANSWERS[language], second), language).code

    assert ANSWERS[language].splitlines()[-1] in found
    assert body in found


def test_a_library_that_a_function_requires_is_not_defined_by_it() -> None:
    required = 'const lodash = require("lodash");\n'

    found = extract(fenced("javascript", required, ANSWERS["javascript"]), "javascript").code

    assert found == f"{required}\n{ANSWERS['javascript']}"


ENTRY = "public record Entry(int value) {}\n"
SHAPES = "@FunctionalInterface public interface Doubler { int apply(int x); }\n"


def test_public_types_of_java_in_blocks_without_names_become_files_of_their_own() -> None:
    found = extract(fenced("java", ANSWERS["java"], "class Own {}\n", ENTRY, SHAPES), "java")

    assert found.code == f"{ANSWERS['java']}\nclass Own {{}}\n"
    assert found.files == {"Entry.java": ENTRY, "Doubler.java": SHAPES}


@pytest.mark.parametrize("order", [1, -1])
def test_of_public_types_of_java_the_one_with_a_usual_name_is_where_the_answer_begins(order: int) -> None:
    solution = ANSWERS["java"].replace("Calc", "Solution")

    found = extract(fenced("java", *[ENTRY, solution][::order]), "java")

    assert (found.code, found.files) == (solution, {"Entry.java": ENTRY})


def test_a_named_file_of_java_stays_the_main_one_beside_a_public_type() -> None:
    found = extract(f"`Calc.java`:\n{fenced('java', ANSWERS['java'], ENTRY)}", "java")

    assert found.code == ANSWERS["java"]
    assert found.files == {"Calc.java": ANSWERS["java"], "Entry.java": ENTRY}


def test_a_public_type_of_java_that_comes_again_is_replaced() -> None:
    second = ANSWERS["java"].replace("2 * x", "x + x")

    found = extract(fenced("java", ANSWERS["java"], ENTRY, second), "java")

    assert (found.code, found.files) == (ENTRY, {"Calc.java": second})


@pytest.mark.parametrize(("is_program", "package"), [(False, "answer"), (True, "main")])
def test_go_without_a_package_gets_one_on_its_first_line(*, is_program: bool, package: str) -> None:
    found = extract(fenced("go", "func a() {}\n"), "go", is_program=is_program)

    assert found.code == f"package {package}; func a() {{}}\n"


@pytest.mark.parametrize(
    "code",
    [
        "// Package calc computes.\npackage calc\n\nfunc F() {}\n",
        "/* Computes.\n */ package calc\n\nfunc F() {}\n",
        "/* Computes. */ package calc; func F() {}\n",
    ],
)
def test_go_with_a_package_stays_as_it_is(code: str) -> None:
    assert extract(fenced("go", code), "go").code == code


def test_methods_of_java_without_a_type_get_one_behind_their_imports() -> None:
    first = "import java.util.List;\n\nstatic int f(List<Integer> x) { return g(x); }\n"
    second = "import java.util.Map;\n\nstatic int g(List<Integer> x) { return x.size(); }  // the end\n"

    found = extract(fenced("java", first, second), "java").code

    assert found == (
        "import java.util.List;\nimport java.util.Map;\nclass Main { \n"
        "static int f(List<Integer> x) { return g(x); }\n\n"
        "static int g(List<Integer> x) { return x.size(); }  // the end\n}\n"
    )


@pytest.mark.parametrize(
    "code",
    [
        '@Deprecated(since = "1") class\nCalc { }\n',
        "  public final record Calc(int x) { }\n",
        "/** Computes. */ @interface Calc { }\n",
        "enum $Calc { ONE }\n",
    ],
)
def test_java_with_a_type_stays_as_it_is(code: str) -> None:
    assert extract(fenced("java", code), "java").code == code
