"""Environments of cases: reported, installed before anything is drawn, and the user's to put right."""

from pathlib import Path

import pytest

from steelyard.errors import UserError
from steelyard.model.case import Case, Expectations
from steelyard.model.environment import Environment
from steelyard.model.evalset import EvalSet, Suite
from steelyard.runner.check.environments import environment_states, environments_of, install_environments
from steelyard.runner.resources import RunResources
from steelyard.runner.settings import RunSettings
from tests.wheels import use_wheels

HERE = Environment(requirements="weights==1.0", test_requirements="weights==1.0\nscales==1.0")
NOWHERE = Environment(requirements="weights==3.0")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_wheels(tmp_path, monkeypatch)


def cases(*environments: Environment | None) -> tuple[Case, ...]:
    tests = Expectations(tests="assert f() == 1")
    return tuple(
        Case(id=f"case-{number}", language="python", environment=one, expectations=tests)
        for number, one in enumerate(environments)
    )


def test_each_environment_is_there_once() -> None:
    assert environments_of(cases(None, HERE, NOWHERE, HERE)) == (HERE, NOWHERE)


def test_the_user_gets_a_message_before_packages_are_installed_and_not_again() -> None:
    messages = list[str]()
    (before,) = environment_states(cases(HERE))

    install_environments(cases(HERE, HERE), messages.append)
    install_environments(cases(HERE), messages.append)

    (after,) = environment_states(cases(HERE))
    assert (before.packages, before.missing, before.is_installed) == (3, 3, False)
    assert (after.packages, after.missing, after.is_installed) == (3, 0, True)
    assert len(messages) == 1
    assert "installing 3 packages" in messages[0]


def test_a_python_that_is_missing_is_a_problem_of_the_set() -> None:
    (state,) = environment_states(cases(Environment(python="3.99", requirements="weights==1.0")))

    assert not state.is_installed
    assert "uv python install 3.99" in state.problem


def test_a_missing_package_ends_a_run_before_it_begins() -> None:
    eval_set = EvalSet(id="s", cases=cases(NOWHERE), suites=(Suite(id="default"),))

    with pytest.raises(UserError, match="the packages of the eval set cannot be installed"):
        RunResources(eval_set, (), RunSettings())
