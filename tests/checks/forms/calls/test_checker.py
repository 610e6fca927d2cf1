"""Calls of a function: what counts, what does not, and what is refused before anything runs."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from steelyard.checks.forms.calls.checker import CallsChecker
from steelyard.checks.toolchains.drivers.driver import warm_options
from steelyard.errors import InputError, SandboxError
from steelyard.model.case import Case, Dependency, Expectations
from steelyard.model.execution import Command, ExecResult
from steelyard.model.graded import Compare, FunctionCall
from steelyard.model.outcome import Classification, Integrity, Outcome
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

PASS, FAIL = Classification.PASS, Classification.FAIL
ADD = Expectations(
    function="add",
    calls=(
        FunctionCall(args=(1, 2), returns=3, name="small"),
        FunctionCall(args=(1, "a"), raises="TypeError"),
    ),
)


@pytest.fixture(scope="module")
def checker() -> Iterator[CallsChecker]:
    sandbox = WarmPythonSandbox(**warm_options())
    yield CallsChecker(sandbox)
    sandbox.close()


def checked(checker: CallsChecker, wanted: Expectations, code: str, *, timeout_s: float = 10.0) -> Outcome:
    case = Case(id="a", language="python", timeout_s=timeout_s, expectations=wanted)
    return checker.check(case, f"```python\n{code}\n```")


@pytest.mark.parametrize(
    ("code", "counts", "kind", "said"),
    [
        ("def add(a, b): return a + b", (2, 0), PASS, ""),
        ("def add(a, b): return 3", (1, 1), FAIL, "call 2: returned 3, expected an error (TypeError)"),
        (
            "def add(a, b): raise KeyError(a)",
            (0, 2),
            FAIL,
            "small: raised KeyError, LookupError, Exception: 1",
        ),
        (
            "class E(TypeError): pass\ndef add(a, b):\n    if b == 'a': raise E\n    return 3",
            (2, 0),
            PASS,
            "",
        ),
        ("def add(a, b): return None", (0, 2), FAIL, "small: returned None, expected 3"),
        ("def add(a): return a", (1, 1), FAIL, "small: raised TypeError"),
        ("add = 3", (0, 2), FAIL, "there is no function add"),
        ("1 / 0", (0, 2), FAIL, "ZeroDivisionError: division by zero"),
        ("print('{}'); add = lambda a, b: a + b", (2, 0), PASS, ""),
        ("if __name__ == '__main__': 1 / 0\ndef add(a, b): return a + b", (2, 0), PASS, ""),
        ("import sys\nsys.stdout.close()\nsys.stderr = None\ndef add(a, b): return a + b", (2, 0), PASS, ""),
    ],
)
def test_each_call_is_a_graded_test(
    checker: CallsChecker, code: str, counts: tuple[int, int], kind: Classification, said: str
) -> None:
    outcome = checked(checker, ADD, code)

    assert outcome.facts.classification is kind, outcome.detail
    assert (outcome.facts.tests_passed, outcome.facts.tests_failed) == counts
    assert said in outcome.detail
    assert outcome.integrity is Integrity.SEALED
    assert outcome.check_digest
    assert outcome.check_us


@pytest.mark.parametrize("is_warm", [True, False])
def test_exit_and_quit_raise_what_they_raise_everywhere(checker: CallsChecker, *, is_warm: bool) -> None:
    calls = (
        FunctionCall(args=("exit",), raises="SystemExit"),
        FunctionCall(args=("quit",), raises="SystemExit"),
        FunctionCall(args=("",), returns=3),
    )
    used = checker if is_warm else CallsChecker(BubblewrapSandbox())
    code = "def f(by):\n    if by == 'exit': exit()\n    if by == 'quit': quit(1)\n    return 3"

    outcome = checked(used, Expectations(function="f", calls=calls), code)

    assert outcome.facts.classification is PASS, outcome.detail


@pytest.mark.parametrize("is_warm", [True, False])
def test_coroutines_of_python_run_one_after_the_other(checker: CallsChecker, *, is_warm: bool) -> None:
    used = checker if is_warm else CallsChecker(BubblewrapSandbox())
    code = "import asyncio\nasync def add(a, b):\n    await asyncio.sleep(0.01)\n    return a + b"

    right, wrong = checked(used, ADD, code), checked(used, ADD, code.replace("a + b", "a * b"))

    assert right.facts.classification is PASS, right.detail
    assert (wrong.facts.classification, wrong.facts.tests_failed) == (FAIL, 2), wrong.detail


def test_an_answer_that_does_not_compile_is_a_build_error(checker: CallsChecker) -> None:
    outcome = checked(checker, ADD, "def add(a, b:\n    return 1")

    assert (outcome.facts.classification, outcome.facts.built) == (Classification.BUILD_ERROR, False)
    assert checked(checker, replace(ADD, should_build=False), "def add(:").facts.classification is PASS
    assert checked(checker, replace(ADD, should_build=False), "add = max").facts.classification is FAIL


def test_an_answer_cannot_claim_that_it_does_not_build(checker: CallsChecker) -> None:
    line = '{"error": "build", "message": ""}\\n'
    code = f"import os\nos.write(int(os.environ['STEELYARD_CHANNEL']), b'{line}')\nos._exit(0)"

    outcome = checked(checker, replace(ADD, should_build=False), code)

    assert (outcome.facts.classification, outcome.facts.built) == (FAIL, True)


def test_where_calls_should_not_be_right_one_of_them_has_to_be_wrong(checker: CallsChecker) -> None:
    wanted = replace(ADD, should_pass_tests=False)
    outcome = checked(checker, wanted, "def add(a, b): return 0")

    assert checked(checker, wanted, "def add(a, b): return a + b").facts.classification is FAIL
    assert checked(checker, wanted, "raise ValueError").facts.classification is FAIL
    assert (outcome.facts.classification, outcome.facts.tests_failed) == (PASS, 2)


def test_calls_before_the_time_ran_out_still_count(checker: CallsChecker) -> None:
    code = "def add(a, b):\n    while b == 'a': pass\n    return a + b"

    timeout_s = 2.0
    while not (outcome := checked(checker, ADD, code, timeout_s=timeout_s)).facts.tests_passed:
        timeout_s *= 4  # a busy machine needs longer to come to the second call

    assert outcome.facts.classification is Classification.TIMEOUT
    assert (outcome.facts.tests_passed, outcome.facts.tests_failed) == (1, 1)


def test_a_crash_after_a_call_leaves_its_result(checker: CallsChecker) -> None:
    code = "import ctypes\ndef add(a, b):\n    return a + b if b == 2 else ctypes.string_at(0)"

    outcome = checked(checker, ADD, code)

    assert outcome.facts.classification is Classification.CRASH
    assert outcome.facts.tests_passed == 1


def test_arguments_belong_to_their_call(checker: CallsChecker) -> None:
    calls = (FunctionCall(args=([1],), returns=[1, 2]), FunctionCall(args=([1],), returns=[1, 2]))
    wanted = Expectations(function="grow", calls=calls)

    outcome = checked(checker, wanted, "def grow(values):\n    values.append(2)\n    return values")

    assert outcome.facts.classification is PASS


def test_every_tag_reaches_the_function_as_its_type(checker: CallsChecker) -> None:
    values = (
        {"tuple": [1]},
        {"set": [{"set": [1]}]},
        {"bytes": "AAE="},
        {"int": "0x10"},
        {"complex": [1, 2]},
        {"float": "-inf"},
        {"dict": [[{"tuple": [1]}, 2]]},
        {"null": True},
    )
    kinds = ["tuple", "set", "bytes", "int", "complex", "float", "dict", "NoneType"]
    calls = (FunctionCall(args=values, kwargs={"set": 3}, returns=[*kinds, 3]),)

    outcome = checked(
        checker,
        Expectations(function="f", calls=calls),
        "def f(*args, **names): return [type(one).__name__ for one in args] + [names['set']]",
    )

    assert outcome.facts.classification is PASS, outcome.detail


def test_a_value_that_is_no_plain_data_can_be_enough(checker: CallsChecker) -> None:
    calls = (FunctionCall(args=("a",), returns=True), FunctionCall(args=("b",), returns=False))
    wanted = Expectations(function="f", calls=calls, compare=Compare.EXISTS)
    code = "import re\ndef f(text): return re.match('a', text)"

    assert checked(checker, wanted, code).facts.classification is PASS
    assert checked(checker, replace(wanted, compare=None), code).facts.classification is FAIL


@pytest.mark.parametrize("compare", [Compare.EXISTS, Compare.PROGRAM])
def test_a_right_result_may_be_longer_than_what_returns_says(compare: Compare, checker: CallsChecker) -> None:
    code = "def f(n): return 'x' * n"
    comparator = "def is_right(args, expected, result): return len(result) == args[0]"
    calls = tuple(FunctionCall(args=(size,), returns=True) for size in (70_000, 1_000_000))
    wanted = Expectations(function="f", calls=calls, compare=compare, comparator=comparator)
    too_long = replace(wanted, calls=(FunctionCall(args=(9 << 20,), returns=True),))

    outcome = checked(checker, wanted, code)

    assert outcome.facts.classification is PASS, outcome.detail
    assert checked(checker, too_long, code).facts.classification is FAIL


def test_settings_of_python_hold_for_calls(checker: CallsChecker) -> None:
    settings = {"answer": "raw", "prefix": "def add(a, b):\n"}
    case = Case(id="a", language="py", timeout_s=10.0, expectations=replace(ADD, settings=settings))
    less = replace(case, memory_mb=64)
    answer = "    x = b'x' * (200 << 20)\n    return a + b\n"

    assert checker.check(case, answer).facts.classification is PASS
    assert checker.check(less, answer).facts.classification in {FAIL, Classification.CRASH}


def test_files_of_the_case_can_be_imported(checker: CallsChecker) -> None:
    case = Case(id="a", language="python", files={"given.py": "ONE = 1"}, expectations=ADD)

    outcome = checker.check(case, "```python\nimport given\ndef add(a, b): return a + b * given.ONE\n```")

    assert outcome.facts.classification is PASS, outcome.detail


def test_a_case_s_own_check_may_still_say_no(checker: CallsChecker) -> None:
    outcome = checked(checker, replace(ADD, custom_check="exit 1"), "def add(a, b): return a + b")

    assert outcome.facts.classification is FAIL


def test_an_answer_without_code_has_the_wrong_format(checker: CallsChecker) -> None:
    case = Case(id="a", language="python", expectations=ADD)

    assert checker.check(case, "I would not know.").facts.classification is Classification.WRONG_FORMAT


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (
            Case(id="a", language="cobol", expectations=ADD),
            "javascript",
        ),
        (
            Case(id="a", language="go", expectations=replace(ADD, calls=(FunctionCall(kwargs={"x": 1}),))),
            "arguments",
        ),
        (Case(id="a", language="c", expectations=ADD), "signature"),
        (
            Case(
                id="a", language="python", expectations=replace(ADD, calls=(FunctionCall(args=(object(),)),))
            ),
            r"calls.*plain",
        ),
        (
            Case(
                id="a",
                language="python",
                expectations=replace(ADD, calls=(FunctionCall(returns={"set": 1}),)),
            ),
            r"calls.*plain",
        ),
        (
            Case(
                id="a", language="rust", dependencies=(Dependency(name="x", version="1"),), expectations=ADD
            ),
            "dependencies",
        ),
        (
            Case(id="a", language="python", expectations=replace(ADD, functions=("add",))),
            "functions is not supported",
        ),
    ],
)
def test_what_cannot_be_checked_is_refused(checker: CallsChecker, case: Case, message: str) -> None:
    with pytest.raises(InputError, match=message):
        checker.check(case, "```\ndef add(a, b): return a + b\n```")


def test_we_are_blamed_when_the_sandbox_breaks() -> None:
    class BrokenSandbox:
        def run(self, command: Command) -> ExecResult:
            raise SandboxError("no namespaces")

    outcome = checked(CallsChecker(BrokenSandbox()), ADD, "def add(a, b): return a + b")

    assert outcome.facts.classification is Classification.ERROR


TURNED = """
def is_right(args, expected, result):
    assert expected == (args[0], "x")
    return result == expected[::-1]
"""


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        ("(a, 'x')", (3, 0)),
        ("('x', a)", (3, 0)),
        ("('x', a) if a < 2 else (a, 'x')", (3, 0)),
        ("('x', a) if a < 2 else ()", (1, 2)),
        ("['x', a]", (0, 3)),
        ("None", (0, 3)),
        ("sys.exit()", (0, 3)),
    ],
)
def test_a_function_of_the_case_may_decide_about_results(
    code: str, counts: tuple[int, int], checker: CallsChecker
) -> None:
    calls = tuple(FunctionCall(args=(a,), returns={"tuple": [a, "x"]}) for a in range(1, 4))
    wanted = Expectations(function="f", calls=calls, compare=Compare.PROGRAM, comparator=TURNED)

    outcome = checked(checker, wanted, f"import sys\ndef f(a): return {code}")

    assert (outcome.facts.tests_passed, outcome.facts.tests_failed) == counts, outcome.detail
    assert outcome.facts.classification is (FAIL if counts[1] else PASS)


def test_a_broken_comparator_makes_nothing_right(checker: CallsChecker) -> None:
    wanted = Expectations(
        function="f", calls=(FunctionCall(returns=1),), compare=Compare.PROGRAM, comparator="1 +"
    )

    assert checked(checker, wanted, "def f(): return 2").facts.classification is FAIL
    assert checked(checker, wanted, "def f(): return 1").facts.classification is PASS
