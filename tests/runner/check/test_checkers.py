"""Finding the checker of a language, and checking the answers that a set brings along."""

import pytest

from steelyard.checks.toolchains.drivers.driver import drivers
from steelyard.errors import SandboxError, UserError
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.graded import FunctionCall, InputOutput
from steelyard.model.outcome import Classification
from steelyard.plugins import CHECKERS
from steelyard.runner.check.checkers import (
    Checkers,
    checker_name,
    form_of,
    require_programs,
    unchecked_languages,
)
from steelyard.runner.check.references import check_references, known_answers
from steelyard.runner.check.sandboxes import make_sandbox
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.process import ProcessSandbox

ASKED = Case(
    id="capital",
    language="text",
    expectations=Expectations(settings={"exact": "Paris"}),
    reference="Paris",
    wrong=("Lyon", " paris "),
)


def in_a_set(*cases: Case) -> EvalSet:
    return EvalSet(id="s", cases=cases, suites=(Suite(id="default"),))


@pytest.mark.parametrize(
    ("language", "name"),
    [("python", "python"), ("json", "text"), ("cpp", "command")],
)
def test_a_language_has_a_checker(language: str, name: str) -> None:
    assert checker_name(language) == name
    assert name in CHECKERS


def test_a_checker_is_made_once() -> None:
    checkers = Checkers(BubblewrapSandbox())

    assert checkers.of(Case(id="a", language="text")) is checkers.of(Case(id="b", language="json"))


@pytest.mark.parametrize("language", ["rust", "python", "terraform", "text", "java"])
def test_every_checker_is_made_with_a_sandbox_alone(language: str) -> None:
    assert callable(Checkers(BubblewrapSandbox()).of(Case(id="a", language=language)).check)


CALLS = Expectations(function="f", calls=(FunctionCall(returns=1),))
PROGRAMS = Expectations(io=(InputOutput(stdout="1"),))


@pytest.mark.parametrize(
    ("wanted", "form", "checker"),
    [
        (Expectations(), None, "PythonChecker"),
        (CALLS, "calls", "CallsChecker"),
        (PROGRAMS, "io", "IoChecker"),
    ],
)
def test_the_form_of_the_tests_decides_before_the_language(
    wanted: Expectations, form: str | None, checker: str
) -> None:
    case = Case(id="a", language="py", expectations=wanted)

    assert form_of(case) == form
    assert type(Checkers(BubblewrapSandbox()).of(case)).__name__ == checker


@pytest.mark.parametrize(
    ("language", "wanted", "near"),
    [
        ("cobol", CALLS, {"cobol": ", ".join(sorted(drivers()))}),
        ("pyhton", CALLS, {"pyhton": "python"}),
        ("text", CALLS, {"text": ", ".join(sorted(drivers()))}),
        ("py", CALLS, {}),
        ("cmake", PROGRAMS, {}),
        ("text", Expectations(), {}),
    ],
)
def test_a_language_without_driver_is_named_with_those_that_have_one(
    language: str, wanted: Expectations, near: dict[str, str]
) -> None:
    assert unchecked_languages([Case(id="a", language=language, expectations=wanted)]) == near


@pytest.mark.parametrize("wanted", [CALLS, PROGRAMS, Expectations()])
def test_programs_that_are_installed_are_no_problem(wanted: Expectations) -> None:
    require_programs([Case(id="a", language="c", expectations=wanted)])


def test_references_come_before_wrong_answers_in_the_order_of_the_cases() -> None:
    bare = Case(id="bare", language="text")

    names = [(answer.case.id, answer.name) for answer in known_answers(in_a_set(bare, ASKED))]

    assert names == [
        ("capital", "the reference answer"),
        ("capital", "wrong answer 1"),
        ("capital", "wrong answer 2"),
    ]


def test_a_good_set_ends_as_meant() -> None:
    checked = list(check_references(in_a_set(ASKED), Checkers(BubblewrapSandbox())))

    assert [answer.is_as_meant for answer in checked] == [True, True, True]


def test_what_does_not_end_as_meant_is_told() -> None:
    swapped = Case(
        id="capital", language="text", expectations=ASKED.expectations, reference="Lyon", wrong=("Paris",)
    )

    reference, wrong = check_references(in_a_set(swapped), Checkers(BubblewrapSandbox()))

    assert reference.problem.startswith(
        "case 'capital': the reference answer is classified fail, but must be pass\n    the answer differs"
    )
    assert wrong.problem == "case 'capital': wrong answer 1 is classified pass, but must not be pass"


def test_where_failing_is_right_a_reference_must_fail() -> None:
    case = Case(
        id="c",
        language="text",
        expectations=ASKED.expectations,
        expected=Classification.FAIL,
        reference="Lyon",
        wrong=("Paris",),
    )

    checked = check_references(in_a_set(case), Checkers(BubblewrapSandbox()))

    assert all(answer.is_as_meant for answer in checked)


def test_a_sandbox_is_made_by_name() -> None:
    assert isinstance(make_sandbox(), BubblewrapSandbox)
    assert isinstance(make_sandbox("bubblewrap", allow_unsafe=True), ProcessSandbox)


def test_no_sandbox_has_to_be_insisted_on() -> None:
    with pytest.raises(SandboxError, match="pass --unsafe-no-sandbox"):
        make_sandbox("process")


def test_a_sandbox_for_python_alone_is_no_sandbox_for_a_set() -> None:
    with pytest.raises(UserError, match="Python"):
        make_sandbox("warm-python")


def added(tests: str) -> Case:
    expectations = Expectations(tests=f"def test_add():\n    assert {tests}\n", functions=("add",))
    reference = "```python\ndef add(a, b):\n    return a + b\n```"
    return Case(id="add", language="python", expectations=expectations, reference=reference)


def test_tests_that_pass_an_answer_which_does_nothing_are_told() -> None:
    checked = list(check_references(in_a_set(added("add(1, 2) != 4")), Checkers(BubblewrapSandbox())))

    [bad] = [answer for answer in checked if not answer.is_as_meant]
    assert bad.problem.startswith(
        "case 'add': an answer whose functions do nothing is classified pass, but must not be pass"
    )


def test_good_tests_fail_every_answer_that_does_nothing() -> None:
    checked = list(check_references(in_a_set(added("add(1, 2) == 3")), Checkers(BubblewrapSandbox())))

    assert [(answer.answer.is_empty, answer.is_as_meant) for answer in checked] == [
        (False, True),
        (True, True),
        (True, True),
        (True, True),
    ]
