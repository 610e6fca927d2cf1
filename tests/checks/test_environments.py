"""Environments of cases: reported, installed before anything is generated, and the user's to put right."""

from pathlib import Path

import pytest

from steelyard.checks.environments import environment_states, environments_of, install_environments
from steelyard.checks.toolchains.rust.vendored import FOLDER_ENV
from steelyard.errors import UserError
from steelyard.model.case import Case, Dependency, Expectations
from steelyard.model.environment import Environment
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.graded import FunctionCall, InputOutput
from steelyard.runner.check.checking import Checking
from steelyard.runner.resources import RunResources
from steelyard.runner.settings import RunSettings
from steelyard.sandbox.process import ProcessSandbox
from tests.node_modules import use_node_modules
from tests.wheels import use_wheels

HERE = Environment(requirements="weights==1.0\nscales==1.0")
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
    assert (before.packages, before.missing, before.is_installed) == (2, 2, False)
    assert (after.packages, after.missing, after.is_installed) == (2, 0, True)
    assert len(messages) == 1
    assert "installing 2 packages" in messages[0]


def test_a_python_that_is_missing_is_a_problem_of_the_set() -> None:
    (state,) = environment_states(cases(Environment(python="3.99", requirements="weights==1.0")))

    assert not state.is_installed
    assert "uv python install 3.99" in state.problem


def test_a_missing_package_ends_a_run_before_it_begins() -> None:
    eval_set = EvalSet(id="s", cases=cases(NOWHERE), suites=(Suite(id="default"),))

    with pytest.raises(UserError, match="installed"):
        RunResources(eval_set, (), RunSettings())


def node_case(*packages: str) -> Case:
    return Case(id="node", language="javascript", environment=Environment(npm=packages))


def rust_case(*crates: str, **files: str) -> Case:
    wanted = tuple(Dependency(name=name, version="1") for name in crates)
    return Case(id="rust", language="rust", dependencies=wanted, files=files)


def test_the_packages_of_npm_are_looked_for_in_the_folder_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_node_modules(tmp_path, monkeypatch)

    here, other = environment_states((node_case("scales@1.0.0"), node_case("scales@2.0.0", "lodash@4.17.21")))

    assert (here.language, here.packages, here.is_installed) == ("JavaScript and TypeScript", 1, True)
    assert (other.packages, other.is_installed) == (2, False)
    assert "scales@2.0.0 (found 1.0.0), lodash@4.17.21" in other.problem


@pytest.mark.parametrize("package", ["lodash@4.17.21", "scales@2.0.0"])
def test_a_missing_package_of_npm_ends_a_run_before_it_begins(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_node_modules(tmp_path, monkeypatch)
    eval_set = EvalSet(id="s", cases=(node_case(package),), suites=(Suite(id="default"),))

    with pytest.raises(UserError, match=f"npm packages of the eval set are missing: {package}"):
        RunResources(eval_set, (), RunSettings())


def test_a_crate_lies_among_the_files_of_a_case_or_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, version in (("regex", "1.10.2"), ("rand-1.8.5", "1.8.5"), ("old", "0.9.0")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "Cargo.toml").write_text(f'[package]\nversion = "{version}"\n', encoding="utf-8")
    monkeypatch.setenv(FOLDER_ENV, str(tmp_path))
    own = {"vendor/shapes/Cargo.toml": ""}

    (state,) = environment_states((rust_case("regex", "rand"), rust_case("regex", "shapes", **own)))
    (other,) = environment_states((rust_case("rand", "rand-core", "shapes", "old"),))

    assert (state.language, state.packages, state.is_installed) == ("Rust", 3, True)
    assert "rand-core 1, shapes 1, old 1" in other.problem
    assert environment_states((rust_case(),)) == ()


def test_a_missing_crate_ends_a_run_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_ENV, raising=False)
    eval_set = EvalSet(id="s", cases=(rust_case("regex"),), suites=(Suite(id="default"),))

    with pytest.raises(UserError, match=r"eval.*regex"):
        RunResources(eval_set, (), RunSettings())


def test_a_folder_of_crates_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_ENV, "/no/such/folder")
    (state,) = environment_states((rust_case("regex"),))

    assert state.problem.startswith("/no/such/folder: no such folder")


@pytest.mark.parametrize(
    "expectations",
    [
        Expectations(io=(InputOutput(stdin="1", stdout="1"),)),
        Expectations(function="f", calls=(FunctionCall(args=(), returns=1),)),
    ],
)
def test_crates_that_no_build_would_see_are_refused_before_anything_is_generated(
    expectations: Expectations,
) -> None:
    case = Case(
        id="r",
        language="rust",
        dependencies=(Dependency(name="regex", version="1"),),
        expectations=expectations,
    )

    with pytest.raises(UserError, match="`dependencies`"):
        install_environments((case,), print)


def test_a_machine_of_a_cluster_without_the_packages_says_so_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STEELYARD_NODE_MODULES", raising=False)

    with pytest.raises(UserError, match="STEELYARD_NODE_MODULES"):
        Checking(ProcessSandbox(allow_unsafe=True)).prepare([node_case("scales@1.0.0")])
