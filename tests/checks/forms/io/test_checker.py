"""Whole programs in every language: what they print is compared outside."""

# ruff: noqa: E501  # the code of an answer stands as it is

from collections.abc import Iterator
from dataclasses import replace

import pytest

from steelyard.checks.forms.io.checker import IoChecker
from steelyard.checks.toolchains.drivers.driver import warm_options
from steelyard.errors import UnknownName
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import Compare, InputOutput
from steelyard.model.outcome import Classification, Integrity
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

PASS, FAIL, CRASH = Classification.PASS, Classification.FAIL, Classification.CRASH
RUNS = (
    InputOutput(stdin="1 2\n", stdout="3\n", name="small"),
    InputOutput(stdin="-1 -2\n", args=("-v",), stdout="-3\n"),
)
PROGRAMS = {
    "python": "a, b = map(int, input().split())\nprint(a + b)\n",
    "rust": 'use std::io::Read;\nfn main() { let mut s = String::new(); std::io::stdin().read_to_string(&mut s).unwrap(); println!("{}", s.split_whitespace().map(|x| x.parse::<i64>().unwrap()).sum::<i64>()); }\n',
    "c": '#include <stdio.h>\n#include <string.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf(strdup("%d\\n"), a + b); }\n',
    "cpp": "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }\n",
    "go": 'package main\nimport "fmt"\nfunc main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(a + b) }\n',
    "java": "import java.util.*;\npublic class Sum { public static void main(String[] x) { Scanner s = new Scanner(System.in); System.out.println(s.nextInt() + s.nextInt()); } }\n",
    "javascript": "import fs from 'node:fs';\nconst [a, b] = fs.readFileSync(0, 'utf8').split(' ').map(Number);\nconsole.log(a + b);\n",
}


@pytest.fixture(scope="module")
def checker() -> Iterator[IoChecker]:
    sandbox = WarmPythonSandbox(**warm_options())
    yield IoChecker(sandbox)
    sandbox.close()


SUM = Expectations(io=RUNS)


def case(language: str, wanted: Expectations = SUM) -> Case:
    return Case(id="sum", language=language, timeout_s=20.0, expectations=wanted)


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_right_program_passes_and_a_wrong_one_fails(language: str, checker: IoChecker) -> None:
    right = f"```{language}\n{PROGRAMS[language]}```\n"
    wrong = (
        right.replace("a + b", "a - b").replace("sum::<i64>", "product::<i64>").replace("() + s", "() - s")
    )

    passed, failed = checker.check(case(language), right), checker.check(case(language), wrong)

    assert (passed.facts.classification, passed.facts.tests_passed) == (PASS, 2), passed.detail
    assert (failed.facts.classification, failed.facts.tests_failed) == (FAIL, 2), failed.detail
    assert {passed.integrity, failed.integrity} == {Integrity.SEALED}


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("print(3)", FAIL),
        ("import sys\nprint(sys.argv[1:])", FAIL),
        ("import os\nos._exit(0)", FAIL),
        ("print(3)\nraise SystemExit(1)", FAIL),
        ("import os\nos.abort()", CRASH),
        ("print('x' * 100_000_000)", CRASH),
        ("while True: pass", Classification.TIMEOUT),
    ],
)
def test_a_program_that_does_not_add_never_passes(
    code: str, kind: Classification, checker: IoChecker
) -> None:
    timeout_s = 3.0 if kind is Classification.TIMEOUT else 60.0

    outcome = checker.check(replace(case("python"), timeout_s=timeout_s), f"```python\n{code}\n```")

    assert outcome.facts.classification is kind, outcome.detail


@pytest.mark.parametrize("leave", ["exit()", "quit()", "exit(0)"])
@pytest.mark.parametrize("is_warm", [True, False])
def test_a_program_may_leave_by_exit_and_quit(leave: str, checker: IoChecker, *, is_warm: bool) -> None:
    runs = (InputOutput(stdin="0\n", stdout="none\n"), InputOutput(stdin="4\n", stdout="2\n"))
    code = f"n = int(input())\nif n == 0:\n    print('none')\n    {leave}\nprint(n // 2)"
    used = checker if is_warm else IoChecker(BubblewrapSandbox())

    outcome = used.check(case("python", Expectations(io=runs)), f"```python\n{code}\n```")

    assert outcome.facts.classification is PASS, outcome.detail


def test_a_program_that_leaves_by_exit_with_a_message_has_failed(checker: IoChecker) -> None:
    assert checker.check(case("python"), "```python\nprint(3)\nexit('no')\n```").facts.tests_failed == 2


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print(4)", "small: printed '4\\n', expected '3\\n'\nrun 2: printed '4\\n', expected '-3\\n'"),
        ("print(3)\nexit(7)", "small: printed '3\\n', exit code 7, expected '3\\n' and exit code 0"),
        ("print('é' * 300)", f"small: printed '{'é' * 199}…, expected '3\\n'"),
        (
            "import os\nprint(3, flush=True)\nos.abort()",
            "small: printed '3\\n', killed by signal 6, expected '3\\n'",
        ),
    ],
)
def test_a_wrong_run_says_what_it_did_and_what_was_expected(code: str, said: str, checker: IoChecker) -> None:
    assert said in checker.check(case("python"), f"```python\n{code}\n```").detail


def test_where_a_comparator_needs_no_expected_output_none_is_named(checker: IoChecker) -> None:
    wanted = Expectations(
        io=(InputOutput(stdin="1 2\n", stdout=""),), compare=Compare.PROGRAM, comparator="exit(1)"
    )

    detail = checker.check(case("python", wanted), PROGRAMS["python"]).detail

    assert "run 1: printed '3\\n', expected output that the comparator accepts" in detail


COMPARATOR = """
import sys
given, expected, got = (open(name).read() for name in sys.argv[1:])
assert given and expected
sys.exit(abs(int(got) - int(expected)) > 1)
"""


@pytest.mark.parametrize(("code", "kind"), [("a + b + 1", PASS), ("a + b + 2", FAIL), ("'no'", FAIL)])
def test_a_program_of_the_case_may_decide(code: str, kind: Classification, checker: IoChecker) -> None:
    asked = case("python", replace(SUM, compare=Compare.PROGRAM, comparator=COMPARATOR))

    outcome = checker.check(asked, f"```python\n{PROGRAMS['python'].replace('a + b', code)}```")

    assert outcome.facts.classification is kind, outcome.detail


@pytest.mark.parametrize(("code", "kind"), [("exit(0)", PASS), ("quit(1)", FAIL), ("exit('no')", FAIL)])
def test_a_comparator_may_decide_by_exit(code: str, kind: Classification, checker: IoChecker) -> None:
    asked = case("python", replace(SUM, compare=Compare.PROGRAM, comparator=code))

    assert checker.check(asked, PROGRAMS["python"]).facts.classification is kind


def test_what_is_expected_may_be_longer_than_what_is_usually_kept(checker: IoChecker) -> None:
    runs = (InputOutput(stdout="x" * 3_000_000),)

    outcome = checker.check(case("python", Expectations(io=runs)), "```python\nprint('x' * 3_000_000)\n```")

    assert outcome.facts.classification is PASS, outcome.detail


@pytest.mark.parametrize(
    "compare", [Compare.EXACT, Compare.LINES, Compare.TOKENS, Compare.NUMBERS, Compare.PROGRAM]
)
def test_output_that_is_not_utf_8_is_wrong_even_if_its_repaired_form_is_expected(
    compare: Compare, checker: IoChecker
) -> None:
    wanted = Expectations(io=(InputOutput(stdout="a\ufffdb\n"),), compare=compare, comparator="exit(0)")
    code = "import sys\nsys.stdout.buffer.write({})"

    wrong = checker.check(case("python", wanted), code.format(r"b'a\xffb\n'"))
    right = checker.check(case("python", wanted), code.format(r"'a\ufffdb\n'.encode()"))

    assert (wrong.facts.classification, right.facts.classification) == (FAIL, PASS)
    assert "not UTF-8" in wrong.detail


def test_output_that_is_cut_off_within_a_character_is_called_too_long(checker: IoChecker) -> None:
    outcome = checker.check(case("python"), "print('x' + '\u20ac' * 1_000_000)")

    assert outcome.facts.classification is FAIL
    assert "truncated" in outcome.detail
    assert "UTF-8" not in outcome.detail


def test_an_answer_without_code_has_the_wrong_format(checker: IoChecker) -> None:
    assert checker.check(case("go"), "I would not know.").facts.classification is Classification.WRONG_FORMAT


def test_a_language_without_recipe_is_refused(checker: IoChecker) -> None:
    with pytest.raises(UnknownName, match="'cobol'"):
        checker.check(case("cobol"), "x")


def test_where_runs_should_not_be_right_one_of_them_has_to_be_wrong(checker: IoChecker) -> None:
    wanted = case("python", replace(SUM, should_pass_tests=False))

    assert checker.check(wanted, PROGRAMS["python"]).facts.classification is FAIL
    assert checker.check(wanted, "print(3)").facts.classification is PASS
