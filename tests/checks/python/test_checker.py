"""What the Python checker makes of cases, settings and failures that are nobody's but our own."""

import marshal
from dataclasses import replace

import pytest

from steelyard.checks.python import PythonChecker
from steelyard.checks.python.grader_runtime.report import seal
from steelyard.checks.python.interpreter import require_pytest, this_interpreter
from steelyard.errors import InfrastructureError, InputError, SandboxError
from steelyard.model.case import Case, Expectations
from steelyard.model.execution import Command, ExecResult, Stream
from steelyard.model.outcome import Classification, Isolation, NoTests
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox
from tests.checks.python.corpus import ADD, ATTACKS, RIGHT, UNITTEST

RAW = {"answer": "raw"}


def case(tests: str = ADD, **expectations: object) -> Case:
    settings = {**RAW, **dict(expectations.pop("settings", {}))}  # type: ignore[call-overload]
    wanted = Expectations(tests=tests, settings=settings, **expectations)  # type: ignore[arg-type]
    return Case(id="add", language="python", timeout_s=30.0, expectations=wanted)


class BrokenSandbox:
    def run(self, command: Command) -> ExecResult:
        raise SandboxError("no bubblewrap here")


class SilentSandbox:
    def run(self, command: Command) -> ExecResult:
        return ExecResult(exit_code=1)


@pytest.mark.parametrize("sandbox", [BrokenSandbox(), SilentSandbox()])
def test_a_sandbox_that_fails_is_our_failure(sandbox: BrokenSandbox | SilentSandbox) -> None:
    outcome = PythonChecker(sandbox).check(case(), RIGHT)

    assert outcome.facts.classification is Classification.ERROR


class CompilerCrash:
    """A sandbox in which the interpreter dies over the answer's source, in the process that grades it."""

    def run(self, command: Command) -> ExecResult:
        line = b'{"event": "begun"}'
        key = marshal.loads(command.stdin)["key"]  # noqa: S302  # the checker made it
        text = seal(key, 0, line) + b" " + line + b"\n"
        return ExecResult(exit_code=139, channel=Stream(text=text, size=len(text)))


def test_an_answer_that_the_compiler_dies_of_is_the_answers_failure() -> None:
    outcome = PythonChecker(CompilerCrash()).check(case(isolation=Isolation.SHARED), RIGHT)

    assert outcome.facts.classification is Classification.CRASH


IDLE = {
    "a function": "def check_small():\n    assert add(1, 2) == 3\n",
    "a function without an entry point": "def check():\n    assert add(1, 2) == 3\n",
    "a function, and a seed": "import random\nrandom.seed(1)\ndef check():\n    assert add(1, 2) == 3\n",
    "an import that may fail": "try: import solution\nexcept ImportError: x = 1\ndef check(): assert x\n",
    "a class": "class AddTests:\n    def check(self): assert add(1, 2) == 3\nimport os\nos.sep\n",
    "a docstring": "'>>> add(1, 2)'\n",
}


@pytest.mark.parametrize("name", IDLE)
def test_tests_that_define_what_nobody_calls_are_the_cases_fault(name: str, checker: PythonChecker) -> None:
    with pytest.raises(InputError, match="case add: the graded tests run nothing"):
        checker.check(case(tests=IDLE[name]), RIGHT)


@pytest.mark.parametrize("isolation", Isolation)
def test_a_conftest_is_refused_for_it_is_not_loaded(isolation: Isolation, checker: PythonChecker) -> None:
    with pytest.raises(InputError, match=r"case add: conftest\.py is not loaded: put its fixtures into"):
        checker.check(replace(case(isolation=isolation), files={"conftest.py": ""}), RIGHT)


MAIN = 'if __name__ == "__main__":\n    '


@pytest.mark.parametrize(
    "tests", [f"def main():\n    assert add(1, 2) == 3\n{MAIN}main()\n", f"{MAIN}assert add(1, 2) == 3\n"]
)
def test_tests_that_only_a_program_would_run_are_the_cases_fault(tests: str, checker: PythonChecker) -> None:
    with pytest.raises(InputError, match="case add: the graded tests run nothing"):
        checker.check(case(tests), RIGHT)


def test_tests_that_a_program_would_run_as_well_are_run(checker: PythonChecker) -> None:
    outcome = checker.check(case(f"{UNITTEST}\n{MAIN}unittest.main()\n"), RIGHT)

    assert (outcome.facts.classification, outcome.facts.tests_passed) == (Classification.PASS, 2)


def test_a_pytest_with_a_weaker_approx_is_refused() -> None:
    require_pytest("9.0.0")

    with pytest.raises(InfrastructureError, match=r"pytest 9 or later, and 8\.4\.2 is installed"):
        require_pytest("8.4.2")


def test_tests_that_are_no_python_are_the_cases_fault(checker: PythonChecker) -> None:
    with pytest.raises(InputError, match="case add: the graded tests are no Python"):
        checker.check(case("def test("), RIGHT)


@pytest.mark.parametrize("settings", [{"runner": "nose"}, {"answer": "whole"}, {"memory_mb": "lots"}])
def test_a_setting_that_means_nothing_is_refused(checker: PythonChecker, settings: dict[str, str]) -> None:
    with pytest.raises(InputError, match=f"settings.{next(iter(settings))} is"):
        checker.check(case(settings=settings), RIGHT)


def test_lint_limits_are_refused_since_nothing_is_linted(checker: PythonChecker) -> None:
    with pytest.raises(InputError, match="max_lint_warnings cannot be checked"):
        checker.check(case(max_lint_warnings=0), RIGHT)


def test_a_case_without_tests_asks_for_no_more_than_loading(checker: PythonChecker) -> None:
    facts = checker.check(case(""), RIGHT).facts

    assert (facts.classification, facts.no_tests) == (Classification.PASS, NoTests.NONE_DEFINED)
    assert facts.tests_passed is None


def test_tests_that_are_all_skipped_are_told_from_none(checker: PythonChecker) -> None:
    tests = (
        "import unittest\nclass TestAdd(unittest.TestCase):\n    def test_it(self): self.skipTest('later')\n"
    )
    facts = checker.check(case(tests), RIGHT).facts

    assert (facts.classification, facts.no_tests) == (Classification.FAIL, NoTests.NONE_COLLECTED)


def test_demanded_names_must_be_defined(checker: PythonChecker) -> None:
    outcome = checker.check(case(functions=("add", "sub"), types=("Sum",)), RIGHT)

    assert outcome.facts.classification is Classification.FAIL
    assert "Sum is not defined\nsub is not defined" in outcome.detail


def test_an_answer_that_should_not_build_passes_by_not_building(checker: PythonChecker) -> None:
    wanted = case(should_build=False)

    assert checker.check(wanted, "def add(").facts.classification is Classification.PASS
    assert checker.check(wanted, RIGHT).facts.classification is Classification.FAIL


def test_where_tests_should_not_pass_one_of_them_has_to_fail(checker: PythonChecker) -> None:
    wanted = case(should_pass_tests=False)
    facts = checker.check(wanted, "def add(a, b): return 0").facts

    assert checker.check(wanted, RIGHT).facts.classification is Classification.FAIL
    assert facts.classification is Classification.PASS
    assert (facts.tests_passed, facts.tests_failed) == (1, 2)


def test_a_custom_check_gets_the_answer_and_the_last_word(checker: PythonChecker) -> None:
    assert (
        checker.check(case(custom_check="grep -q 'a + b'"), RIGHT).facts.classification is Classification.PASS
    )
    outcome = checker.check(case(custom_check="grep -q numpy || { echo no numpy; exit 1; }"), RIGHT)

    assert outcome.facts.classification is Classification.FAIL
    assert outcome.detail == "the case's own check says no: no numpy"


def test_the_detail_says_what_failed_and_where(checker: PythonChecker) -> None:
    outcome = checker.check(case(), "def add(a, b): return 0")

    assert "test_small: AssertionError [line 3: assert add(1, 2) == 3]" in outcome.detail


def test_equal_answers_get_equal_outcomes(checker: PythonChecker) -> None:
    answer = "def add(a, b):\n    raise ValueError(f\"{object()} {list({'a', 'b', 'c'})}\")\n"
    outcomes = {replace(checker.check(case(), answer), check_us=0, peak_memory_bytes=0) for _ in range(5)}

    assert len(outcomes) == 1


@pytest.mark.parametrize(
    ("asked", "told"), [(None, Isolation.APART), (Isolation.APART, Isolation.APART), (Isolation.SHARED,) * 2]
)
def test_the_outcome_says_how_the_answer_was_kept_from_its_grader(
    asked: Isolation | None, told: Isolation, checker: PythonChecker
) -> None:
    assert checker.check(case(isolation=asked), RIGHT).isolation is told
    assert checker.check(case(isolation=asked), "").isolation is told


def test_a_hostile_answer_can_forge_a_pass_only_where_it_shares_a_process(checker: PythonChecker) -> None:
    answer = "import unittest\nunittest.TestCase.assertEqual = lambda *_: None\ndef add(a, b): return 0\n"
    ends = [
        checker.check(case(UNITTEST, isolation=isolation), answer).facts.classification
        for isolation in (Isolation.APART, Isolation.SHARED)
    ]

    assert ends == [Classification.FAIL, Classification.PASS]


@pytest.mark.parametrize("isolation", [Isolation.APART, Isolation.SHARED])
def test_answer_and_tests_stand_in_a_file_as_far_as_they_can_tell(
    isolation: Isolation, checker: PythonChecker
) -> None:
    answer = "import os\ndef place(): return os.path.dirname(__file__)\n"
    tests = (
        "from os.path import abspath, dirname\n"
        "def test_places(): assert place() == dirname(abspath(__file__)) == abspath('.')\n"
    )

    outcome = checker.check(case(tests, isolation=isolation), answer)

    assert outcome.facts.classification is Classification.PASS, outcome.detail


@pytest.mark.parametrize("isolation", [Isolation.APART, Isolation.SHARED])
@pytest.mark.parametrize("runner", ["direct", "pytest"])
def test_exit_and_quit_are_there_and_fail_a_test_that_does_not_expect_them(
    isolation: Isolation, runner: str, checker: PythonChecker
) -> None:
    answer = "def stop(by):\n    exit(by) if by else quit()\n"
    tests = (
        "def test_caught():\n"
        "    for by in (0, 'no'):\n"
        "        try: stop(by)\n"
        "        except SystemExit as end: assert end.code == (by or None)\n"
        "        else: assert False\n"
        "def test_not(): stop(0)\n"
        "def test_after(): assert callable(exit) and callable(quit)\n"
    )

    outcome = checker.check(case(tests, isolation=isolation, settings={"runner": runner}), answer)

    assert (outcome.facts.tests_passed, outcome.facts.tests_failed) == (2, 1), outcome.detail
    assert "test_not: SystemExit" in outcome.detail


def test_an_answer_may_use_four_gibibytes_unless_the_case_says_otherwise(checker: PythonChecker) -> None:
    hungry = f"{RIGHT}hoard = bytearray(1_500 << 20)\n"

    assert checker.check(case(), hungry).facts.classification is Classification.PASS
    little = case(settings={"memory_mb": "256"})
    assert checker.check(little, hungry).facts.classification is not Classification.PASS


def test_an_answer_has_nothing_to_read_and_its_streams_are_the_tests(checker: PythonChecker) -> None:
    answer = (
        "import sys\ndef ask(): return input()\n"
        "def say():\n    print('out')\n    print('err', file=sys.stderr)\n"
    )
    tests = (
        "import pytest\ndef test_ask():\n    with pytest.raises(EOFError): ask()\n"
        "def test_say(capsys):\n    say()\n    said = capsys.readouterr()\n"
        "    assert (said.out, said.err) == ('out\\n', 'err\\n')\n"
    )

    outcome = checker.check(case(tests), answer)

    assert outcome.facts.classification is Classification.PASS, outcome.detail


def test_names_that_an_answer_has_imported_are_the_librarys(checker: PythonChecker) -> None:
    answer = (
        "from collections import Counter\nfrom decimal import Decimal\n"
        "def count(text): return Counter(text)\n"
    )
    tests = (
        "def test_it():\n    assert count('aab') == Counter({'a': 2, 'b': 1})\n    assert Decimal(1) == 1\n"
    )

    outcome = checker.check(case(tests), answer)

    assert outcome.facts.classification is Classification.PASS, outcome.detail


def test_a_prefix_gives_the_tests_all_but_the_statement_that_the_answer_goes_on_with(
    checker: PythonChecker,
) -> None:
    prefix = "def twice(x):\n    return 2 * x\n\ndef area(r):\n    'The area.'\n"
    tests = "def test_it():\n    assert area(3) == twice(3)\n"
    wanted = case(tests, settings={"prefix": prefix})

    kinds = [checker.check(wanted, f"    return {so}\n").facts.classification for so in ("2 * r", "7")]
    lies = checker.check(wanted, "    return 7\ndef twice(x): return 7\n").facts.classification

    assert (kinds, lies) == ([Classification.PASS, Classification.FAIL], Classification.FAIL)


CARELESS = b"""
from steelyard.checks.python.grader_runtime import grade
grade.set_readable = lambda *, readable: None
grade.main()
"""
SPIES = ("reads the grader's memory", "reads the grader's descriptors", "reads the grader's environment")


@pytest.mark.parametrize("name", SPIES)
def test_the_spies_would_succeed_if_the_grader_were_careless(name: str) -> None:
    spy = next(attack for attack in ATTACKS if attack.name == name)
    careless = replace(this_interpreter(), script=CARELESS)
    outcome = PythonChecker(BubblewrapSandbox(), interpreter=careless).check(spy.case, spy.answer)

    assert outcome.facts.classification is Classification.PASS


def test_a_grader_at_hand_leaves_no_trace_in_other_commands() -> None:
    source = """
import sys
found = [name for name in ("solution", "graded_tests") if name in sys.modules]
finders = [kind for kind in map(type, sys.meta_path) if kind.__name__ == "GivenModules"]
import random
print(found, finders, random.random())
"""
    interpreter = this_interpreter()
    command = Command(
        argv=(*interpreter.argv, "look.py"), files={"look.py": source.encode()}, binds=interpreter.binds
    )
    sandbox = WarmPythonSandbox(**interpreter.warm_options())
    seen = {sandbox.run(command).stdout.decoded() for _ in range(2)}
    sandbox.close()

    assert len(seen) == 2  # by their luck, which a command of its own does not share
    assert all(text.startswith("[] [] ") for text in seen)
