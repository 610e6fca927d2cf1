"""Answers that do nothing, made for a case."""

import ast

import pytest

from steelyard.checks.known_answers import empty_answers
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.graded import FunctionCall, InputOutput
from steelyard.model.outcome import Classification
from steelyard.runner.check.references import empty_answers_of

CALLED = Expectations(function="total", calls=(FunctionCall(args=(1, 2), returns=3),))
TESTED = Expectations(tests="assert add(1, 2) == 3", functions=("add",))


def stub(case: Case) -> str | None:
    return dict(empty_answers(case)).get("an answer whose functions do nothing")


def code(answer: str | None) -> str:
    assert answer is not None
    return answer.split("\n", 1)[1].removesuffix("```\n")


def test_a_python_stub_has_every_name_that_is_demanded_and_returns_nothing() -> None:
    asked = Expectations(tests="x", functions=("add", "sub"), types=("Point",))
    space: dict[str, object] = {}

    exec(code(stub(Case(id="a", language="python", expectations=asked))), space)  # noqa: S102 - our own

    add, point = space["add"], space["Point"]
    assert callable(add)
    assert callable(point)
    assert add(1, two=2) is None
    assert point(1, 2) is not None
    assert "sub" in space


def test_without_demanded_names_those_of_the_reference_are_taken() -> None:
    reference = "```python\ndef outer(a):\n    def inner(): ...\n    return a\nasync def later(): ...\n```"

    found = code(stub(Case(id="a", language="py", reference=reference)))

    assert [one.name for one in ast.parse(found).body if isinstance(one, ast.FunctionDef)] == [
        "outer",
        "later",
    ]


def test_javascript_stubs_are_exported() -> None:
    case = Case(
        id="a", language="javascript", reference="```js\nexport function add(a, b) { return a + b; }\n```"
    )

    assert stub(case) == "```javascript\nexport function add() {}\n```\n"


@pytest.mark.parametrize(
    "case", [Case(id="a", language="rust", expectations=TESTED), Case(id="a", language="python")]
)
def test_without_types_or_names_there_is_no_stub(case: Case) -> None:
    assert stub(case) is None
    assert dict(empty_answers(case))["an empty answer"] == ""


def test_a_function_that_is_called_gets_a_stub() -> None:
    assert "def total(" in code(stub(Case(id="a", language="python", expectations=CALLED)))


@pytest.mark.parametrize(
    ("case", "count"),
    [
        (Case(id="a", language="python", expectations=TESTED), 3),
        (Case(id="a", language="python", expectations=TESTED, honeypot=True), 3),
        (Case(id="a", language="py", expectations=CALLED), 3),
        (Case(id="a", language="python", expectations=Expectations(io=(InputOutput(stdout="1"),))), 2),
        (Case(id="a", language="text", expectations=Expectations(settings={"exact": "x"})), 0),
        (Case(id="a", language="judge", expectations=TESTED), 0),
        (Case(id="a", language="python", expectations=TESTED, expected=Classification.REFUSAL), 0),
        (Case(id="a", language="rust", expectations=Expectations(tests="x", should_pass_tests=False)), 0),
        (Case(id="a", language="rust", expectations=Expectations(tests="x", should_build=False)), 0),
    ],
)
def test_only_cases_whose_tests_must_pass_are_tried(case: Case, count: int) -> None:
    found = list(empty_answers_of(EvalSet(id="s", cases=(case,), suites=(Suite(id="default"),))))

    assert len(found) == count
    assert not any(one.must_pass for one in found)
