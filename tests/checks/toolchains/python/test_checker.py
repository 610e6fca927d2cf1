"""What the Python checker makes of cases, settings, and failures of the infrastructure."""

import time
from dataclasses import replace

import pytest

from steelyard.checks.toolchains.python import PythonChecker
from steelyard.errors import InputError, SandboxError
from steelyard.model.case import Case, Expectations
from steelyard.model.execution import Command, ExecResult, Stream
from steelyard.model.outcome import Classification, Integrity, NoTests
from tests.checks.toolchains.python.corpus import ADD, RIGHT, UNITTEST

PASS, FAIL, CRASH = Classification.PASS, Classification.FAIL, Classification.CRASH


def case(tests: str = ADD, files: dict[str, str] | None = None, **expectations: object) -> Case:
    settings = {"answer": "raw", **dict(expectations.pop("settings", {}))}  # type: ignore[call-overload]
    expected = Expectations(tests=tests, settings=settings, **expectations)  # type: ignore[arg-type]
    return Case(id="add", language="python", timeout_s=30.0, files=files or {}, expectations=expected)


class BrokenSandbox:
    def run(self, command: Command) -> ExecResult:
        raise SandboxError("no bubblewrap here")


class SilentSandbox:
    def run(self, command: Command) -> ExecResult:
        return ExecResult(exit_code=1)


class CompilerCrash:
    def run(self, command: Command) -> ExecResult:
        text = b'["started"]\n'
        return ExecResult(exit_code=139, channel=Stream(text=text, size=len(text)))


@pytest.mark.parametrize("sandbox", [BrokenSandbox(), SilentSandbox()])
def test_a_failing_sandbox_is_an_infrastructure_error(sandbox: BrokenSandbox | SilentSandbox) -> None:
    outcome = PythonChecker(sandbox).check(case(), RIGHT)

    assert outcome.facts.classification is Classification.ERROR


def test_an_answer_that_crashes_the_compiler_is_a_crash() -> None:
    assert PythonChecker(CompilerCrash()).check(case(), RIGHT).facts.classification is CRASH


def test_tests_that_call_nothing_are_refused(checker: PythonChecker) -> None:
    with pytest.raises(InputError, match=r"case add.*run nothing"):
        checker.check(case("def check_small():\n    assert add(1, 2) == 3\n"), RIGHT)


def test_tests_that_are_not_python_are_refused(checker: PythonChecker) -> None:
    with pytest.raises(InputError, match=r"case add.*syntax error"):
        checker.check(case("def test("), RIGHT)


@pytest.mark.parametrize("settings", [{"answer": "whole"}, {"test_file": "../t.py"}])
def test_settings_without_meaning_are_refused(checker: PythonChecker, settings: dict[str, str]) -> None:
    with pytest.raises(InputError, match=f"settings.{next(iter(settings))} is"):
        checker.check(case(settings=settings), RIGHT)


def test_lint_limits_are_refused(checker: PythonChecker) -> None:
    with pytest.raises(InputError, match="max_lint_warnings"):
        checker.check(case(max_lint_warnings=0), RIGHT)


def test_a_case_without_tests_passes_if_the_answer_compiles(checker: PythonChecker) -> None:
    facts = checker.check(case(""), RIGHT).facts

    assert (facts.classification, facts.no_tests, facts.tests_passed) == (PASS, NoTests.NONE_DEFINED, None)


def test_tests_that_are_all_skipped_do_not_pass(checker: PythonChecker) -> None:
    facts = checker.check(case("import pytest\ndef test_it(): pytest.skip('later')\n"), RIGHT).facts

    assert (facts.classification, facts.no_tests) == (FAIL, NoTests.NONE_COLLECTED)


def test_required_names_must_be_defined(checker: PythonChecker) -> None:
    outcome = checker.check(case(functions=("add", "sub"), types=("Sum",)), RIGHT)

    assert outcome.facts.classification is FAIL
    assert "Sum is not defined\nsub is not defined" in outcome.detail


def test_an_answer_that_should_not_build_passes_by_not_building(checker: PythonChecker) -> None:
    graded = case(should_build=False)

    assert checker.check(graded, "def add(").facts.classification is PASS
    assert checker.check(graded, RIGHT).facts.classification is FAIL


def test_where_tests_should_not_pass_one_has_to_fail(checker: PythonChecker) -> None:
    graded = case(should_pass_tests=False)
    facts = checker.check(graded, "def add(a, b): return 0").facts

    assert checker.check(graded, RIGHT).facts.classification is FAIL
    assert (facts.classification, facts.tests_passed, facts.tests_failed) == (PASS, 1, 2)


def test_a_custom_check_reads_the_answer(checker: PythonChecker) -> None:
    assert checker.check(case(custom_check="grep -q 'a + b'"), RIGHT).facts.classification is PASS
    assert checker.check(case(custom_check="grep -q numpy"), RIGHT).facts.classification is FAIL


def test_equal_answers_get_equal_outcomes(checker: PythonChecker) -> None:
    answer = "def add(a, b):\n    raise ValueError(f\"{object()} {list({'a', 'b', 'c'})}\")\n"
    outcomes = {replace(checker.check(case(), answer), check_us=0, peak_memory_bytes=0) for _ in range(5)}

    assert len(outcomes) == 1


def test_conftest_data_and_settings_of_the_case_are_used(checker: PythonChecker) -> None:
    files = {
        "conftest.py": "import pytest\n@pytest.fixture\ndef rows(): return open('rows.txt').read().split()\n",
        "rows.txt": "1 2",
        "pytest.ini": "[pytest]\npython_functions = check_*\n",
    }
    tests = "def test_unused(): assert 0\ndef check_rows(rows): assert add(*map(int, rows)) == 3\n"

    outcome = checker.check(case(tests, files), RIGHT)

    assert (outcome.facts.classification, outcome.facts.tests_passed) == (PASS, 1), outcome.detail


def test_a_fix_in_place_is_graded(checker: PythonChecker) -> None:
    fix = {"cart.py": "def total(prices): return 0\n", "prices.csv": "1"}
    graded = case("from cart import total\ndef test_it(): assert total([1, 2]) == 3\n", fix)

    assert checker.check(graded, "def total(prices): return sum(prices)\n").facts.classification is PASS
    assert checker.check(graded, "def total(prices): return 1\n").facts.classification is FAIL


def test_an_answer_cannot_bring_or_replace_tests(checker: PythonChecker) -> None:
    files = {"conftest.py": "import pytest\n@pytest.fixture\ndef three(): return 3\n"}
    tests = "from solution import add\ndef test_it(three): assert add(1, 2) == three\n"
    graded = case(tests, files, settings={"answer": "extract"})
    answer = (
        "```python solution.py\ndef add(a, b): return 7\n```\n"
        "```python conftest.py\nimport pytest\n@pytest.fixture\ndef three(): return 7\n```\n"
        "```python sitecustomize.py\nraise SystemExit(0)\n```\n"
    )

    assert checker.check(graded, answer).facts.classification is FAIL


def test_a_module_that_cannot_be_imported_fails_with_its_error(checker: PythonChecker) -> None:
    outcome = checker.check(case("from solution import sub\ndef test_it(): assert sub(2, 1) == 1\n"), RIGHT)

    assert outcome.facts.classification is FAIL
    assert "ImportError" in outcome.detail


@pytest.mark.parametrize("ending", ["import os; os._exit(0)", "import os, signal; os.kill(os.getpid(), 9)"])
def test_an_answer_that_ends_the_process_crashes(ending: str, checker: PythonChecker) -> None:
    outcome = checker.check(case(), f"def add(a, b):\n    {ending}\n")

    assert outcome.facts.classification is CRASH
    assert "test_small: did not run to its end" in outcome.detail


def test_an_answers_own_tests_are_left_out(checker: PythonChecker) -> None:
    outcome = checker.check(case(), f"{RIGHT}\ndef test_mine(): assert add(1, 1) == 3\n")

    assert (outcome.facts.classification, outcome.facts.tests_passed) == (PASS, 3), outcome.detail


def test_the_main_guard_of_unittest_is_not_run(checker: PythonChecker) -> None:
    outcome = checker.check(case(f'{UNITTEST}\nif __name__ == "__main__":\n    unittest.main()\n'), RIGHT)

    assert (outcome.facts.classification, outcome.facts.tests_passed) == (PASS, 2), outcome.detail


def test_tests_have_no_input_and_memory_is_limited(checker: PythonChecker) -> None:
    asks = "import pytest\ndef test_it():\n    with pytest.raises((EOFError, OSError)): add(1, 2)\n"

    assert checker.check(case(asks), "def add(a, b): return input()\n").facts.classification is PASS
    hungry = f"{RIGHT}hoard = bytearray(1_500 << 20)\n"
    assert checker.check(case(), hungry).facts.classification is PASS
    assert checker.check(replace(case(), memory_mb=256), hungry).facts.classification is not PASS


def test_what_a_passing_run_did_not_report_is_open_without_a_reference(checker: PythonChecker) -> None:
    tests = "def test_a():\n    assert add(1, 2) == 3\ndef test_b():\n    assert add(2, 2) == 4\n"
    skips = "import pytest\ndef add(a, b):\n    return 3 if a == 1 else pytest.skip()\n"

    skipped = checker.check(case(tests), skips)
    measured = checker.check(replace(case(tests), reference=RIGHT), skips)

    assert (skipped.facts.classification, skipped.integrity) == (PASS, Integrity.PARTIAL)
    assert measured.facts.classification is FAIL


def test_events_without_end_do_not_hold_the_checker_up() -> None:
    class Flood:
        def run(self, command: Command) -> ExecResult:
            events = [b'["started"]', b'["built",null]']
            for number in range(40_000):
                events += [b'["test","t%d"]' % number, b'["report",0,null,0]']
            text = b"\n".join([*events, b'["end"]\n'])
            return ExecResult(exit_code=0, channel=Stream(text=text, size=len(text)))

    began = time.process_time()

    assert PythonChecker(Flood()).check(case(), RIGHT).facts.classification is FAIL
    assert time.process_time() - began < 10


def test_a_missing_module_is_named_with_its_setting(checker: PythonChecker) -> None:
    tests = "from stack import add\ndef test_it(): assert add(1, 2) == 3\n"

    outcome = checker.check(case(tests), RIGHT)

    assert 'settings.module = "stack"' in outcome.detail
    assert checker.check(case(tests, settings={"module": "stack"}), RIGHT).facts.classification is PASS


def test_tests_may_begin_with_a_byte_order_mark(checker: PythonChecker) -> None:
    assert checker.check(case(f"\ufeff{ADD.strip()}\n"), RIGHT).facts.classification is PASS


def test_an_assertion_that_the_reference_does_not_meet_outside_is_open(checker: PythonChecker) -> None:
    tests = "def test_it():\n    assert add(1, 2) == 3\n    with pytest.raises(Alias): add(1, None)\n"
    alias = "import pytest\nclass Own(TypeError): pass\nAlias = Own\n"
    reference = "def add(a, b):\n    if b is None: raise Own\n    return a + b\n"
    graded = replace(case(tests), reference=alias + reference)

    outcome = checker.check(graded, alias + reference)

    assert (outcome.facts.classification, outcome.open_assertions) == (PASS, 1), outcome.detail


def test_equal_reports_do_not_fill_the_channel(checker: PythonChecker) -> None:
    tests = "def test_it():\n    for _ in range(40):\n        assert add('a' * 2_000_000, 'b') is not None\n"
    tests += "        assert add('a' * 2_000_000, 'b') == 'a' * 1_000_000 + 'a' * 1_000_000 + 'b'\n"

    graded = replace(case(tests.replace(" is not None", " != 'c'")), reference=RIGHT)

    assert checker.check(graded, RIGHT).facts.classification is PASS


def test_membership_in_a_dict_needs_plain_keys_only(checker: PythonChecker) -> None:
    tests = "def test_it():\n    assert 'a' in add(1, 2)\n"
    plain, with_objects = "def add(a, b): return {'a': 1}\n", "def add(a, b): return {'a': object()}\n"
    measured = replace(case(tests), reference=plain)

    assert checker.check(measured, with_objects).facts.classification is PASS


def test_objects_fail_where_the_reference_reports_plain_data(checker: PythonChecker) -> None:
    tests = "def test_it():\n    assert add(1, 2) == [1, 2]\n"
    equal = "import collections\ndef add(a, b): return collections.UserList([a, b])\n"

    assert checker.check(case(tests), equal).facts.classification is PASS
    measured = replace(case(tests), reference="def add(a, b): return [a, b]\n")
    assert checker.check(measured, equal).facts.classification is FAIL


def test_answer_and_tests_without_an_import_are_one_program(checker: PythonChecker) -> None:
    tests = (
        "import math\nfrom unittest.mock import patch\n"
        "def test_import(): assert area(1) > 3\n"
        "@patch(f'{__name__}.choice', return_value=7)\ndef test_patch(mock): assert pick([1, 2]) == 7\n"
    )
    answer = "from random import choice\ndef area(r): return math.pi * r\ndef pick(x): return choice(x)\n"

    outcome = checker.check(case(tests), answer)

    assert outcome.facts.classification is PASS, outcome.detail
