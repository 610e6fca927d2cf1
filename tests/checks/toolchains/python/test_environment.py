"""Answers that import packages: in every form of check, in cold and in warm sandboxes."""

from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.checks.toolchains.python.environment import interpreter_of
from steelyard.checks.toolchains.python.find_python import find_python
from steelyard.checks.toolchains.python.interpreter import this_interpreter
from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.environment import Environment
from steelyard.model.execution import Command, ExecResult
from steelyard.model.graded import FunctionCall, InputOutput
from steelyard.model.outcome import Classification, Outcome
from steelyard.runner.check.checkers import Checkers
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.wheels import use_wheels

FUNCTION = "```python\nimport weights\n\ndef mass():\n    return weights.grams()\n```"
PROGRAM = "```python\nimport weights\nprint(weights.grams())\n```"
ENVIRONMENT = Environment(requirements="weights==1.0")
PASS = Classification.PASS
FORMS = {
    "pytest": Expectations(
        tests="import weights\ndef test_mass():\n    assert mass() == weights.grams() == 1000"
    ),
    "script": Expectations(tests="assert mass() == 1000"),
    "calls": Expectations(function="mass", calls=(FunctionCall(returns=1000.0),)),
    "io": Expectations(io=(InputOutput(stdout="1000.0\n"),)),
}


class ColdSandbox:
    """The sandbox that starts an interpreter for each command: it has no warm one."""

    def __init__(self) -> None:
        self._sandbox = BubblewrapSandbox()

    def run(self, command: Command) -> ExecResult:
        """Run a command."""
        return self._sandbox.run(command)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_wheels(tmp_path, monkeypatch)


def case_of(form: str, environment: Environment | None = ENVIRONMENT) -> Case:
    return Case(id="mass", language="python", environment=environment, expectations=FORMS[form])


def checked(case: Case, answer: str = "", *, cold: bool = False) -> Outcome:
    text = answer or (PROGRAM if case.expectations.io else FUNCTION)
    return Checkers(ColdSandbox() if cold else BubblewrapSandbox()).of(case).check(case, text)


@pytest.mark.parametrize("cold", [False, True], ids=["warm", "cold"])
@pytest.mark.parametrize("form", FORMS)
def test_an_answer_imports_a_package(form: str, cold: bool) -> None:  # noqa: FBT001  # given by pytest
    outcome = checked(case_of(form), cold=cold)

    assert outcome.facts.classification is PASS, outcome.detail


@pytest.mark.parametrize("form", FORMS)
def test_without_an_environment_it_does_not(form: str) -> None:
    outcome = checked(case_of(form, None))

    assert outcome.facts.classification is not PASS
    assert "No module named 'weights'" in outcome.detail


@pytest.mark.check_all
@pytest.mark.parametrize("form", FORMS)
def test_another_version_fails_the_same_tests_under_another_name(form: str) -> None:
    first, second = case_of(form), case_of(form, Environment(requirements="weights==2.0"))

    assert checked(second).facts.classification is Classification.FAIL
    assert checked(first).check_digest != checked(second).check_digest


@pytest.mark.check_all
@pytest.mark.parametrize("cold", [False, True], ids=["warm", "cold"])
def test_an_answer_cannot_change_a_package(cold: bool) -> None:  # noqa: FBT001  # given by pytest
    answer = """```python
import os, weights

def mass():
    folder = os.path.dirname(weights.__file__)
    for attempt in (
        lambda: open(weights.__file__, "a"),
        lambda: open(os.path.join(folder, "new.py"), "w"),
        lambda: os.chmod(weights.__file__, 0o777),
        lambda: os.unlink(weights.__file__),
    ):
        try:
            attempt()
        except OSError:
            continue
        return 0
    return weights.grams()
```"""

    outcome = checked(case_of("script"), answer, cold=cold)

    assert outcome.facts.classification is PASS, outcome.detail


def other_python() -> str:
    """Return the version of another Python on this machine."""
    for version in ("3.12", "3.13", "3.11", "3.14"):
        try:
            if find_python(version) != this_interpreter():
                return version
        except InputError:
            continue
    pytest.skip("there is one Python only")


@pytest.mark.check_all
@pytest.mark.parametrize("form", FORMS)
def test_an_answer_runs_on_the_python_that_is_asked_for(form: str) -> None:
    version = other_python()
    test = f"import sys\nassert f'{{sys.version_info[0]}}.{{sys.version_info[1]}}' == {version!r}\n"
    case = case_of(form, replace(ENVIRONMENT, python=version))
    answer = (PROGRAM if form == "io" else FUNCTION).replace("import weights\n", f"import weights\n{test}")

    outcome = checked(case, answer)

    assert outcome.facts.classification is PASS, outcome.detail
    assert outcome.check_digest != checked(case_of(form)).check_digest


def test_a_python_that_is_missing_is_named() -> None:
    with pytest.raises(InputError, match=r"Python 3\.99.*`uv python install 3\.99`"):
        interpreter_of(Environment(python="3.99"))


def test_our_own_python_is_found_by_its_version() -> None:
    ours = this_interpreter()
    version = ".".join(ours.build.split(".")[:2])

    assert find_python(version) == ours
