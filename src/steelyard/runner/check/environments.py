"""Look at the environments of an eval set's cases: what is installed, what can be, and install it.

Only packages for Python are installed. Those of npm and the crates of Rust lie in folders of the machine.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from steelyard.checks.npm import node_packages
from steelyard.checks.python.environment import bare_interpreter, interpreter_of
from steelyard.checks.python.install import installer
from steelyard.checks.python.package_cache import place_of
from steelyard.checks.rust.vendored import FOLDER_ENV as VENDOR_ENV
from steelyard.checks.rust.vendored import crates_of, is_rust, missing_crates, vendor_folder
from steelyard.checks.text.packages import require_text_packages
from steelyard.errors import SteelyardError, UserError
from steelyard.model.case import Case
from steelyard.model.environment import Environment, EnvironmentState, pins
from steelyard.runner.check.checkers import checker_name


def environments_of(cases: Iterable[Case]) -> tuple[Environment, ...]:
    """Return the environments of some cases, each once."""
    return tuple(dict.fromkeys(case.environment for case in cases if case.environment is not None))


def environment_states(cases: Sequence[Case]) -> tuple[EnvironmentState, ...]:
    """Return what this machine has of each environment, and of the crates; nothing is installed."""
    crates = (_crate_state(cases),) if crates_of(cases) else ()
    return (*map(_state, environments_of(cases)), *crates)


def install_environments(cases: Sequence[Case], notify: Callable[[str], None]) -> None:
    """Install what is missing of the environments of some cases, and tell so first.

    Raises where something cannot be installed, or is missing that is not ours to install.
    """
    if crates_of(cases) and (problem := _crate_state(cases).problem):
        raise UserError(problem)
    for environment in environments_of(cases):
        if environment.npm:
            node_packages(environment)
            continue
        if missing := _state(environment).missing:
            packages = f"{missing} package{'' if missing == 1 else 's'}"
            notify(f"the first run of this eval set takes longer: installing {packages} for Python")
        interpreter_of(environment)


def require_packages(case: Case) -> None:
    """Raise where this machine lacks the packages of npm, the crates or the readers of text of a case."""
    node_packages(case.environment)
    if checker_name(case.language) == "text":
        require_text_packages(case)
    if crates_of((case,)) and (problem := _crate_state((case,)).problem):
        raise UserError(problem)


def _state(environment: Environment) -> EnvironmentState:
    return _npm_state(environment) if environment.npm else _python_state(environment)


def _npm_state(environment: Environment) -> EnvironmentState:
    problem = ""
    try:
        node_packages(environment)
    except SteelyardError as error:
        problem = str(error)
    return EnvironmentState(
        language="JavaScript and TypeScript", packages=len(environment.npm), problem=problem
    )


def _crate_state(cases: Sequence[Case]) -> EnvironmentState:
    packages = len(crates_of(cases))
    if unusable := [case.id for case in cases if is_rust(case) and case.dependencies and _has_no_crate(case)]:
        problem = (
            f"programs (`io`) and `calls` in Rust cannot use crates; "
            f"leave the `dependencies` of {unusable[0]} out"
        )
        return EnvironmentState(language="Rust", packages=packages, problem=problem)
    try:
        missing, problem = missing_crates(cases, vendor_folder()), ""
    except SteelyardError as error:
        missing, problem = (), str(error)
    if missing:
        problem = (
            f"crates of the eval set are missing: {', '.join(missing)}. "
            f"Fetch them with `cargo vendor`, and let {VENDOR_ENV} name the folder that it makes."
        )
    return EnvironmentState(language="Rust", packages=packages, problem=problem)


def _has_no_crate(case: Case) -> bool:
    """Whether what is built for a case never sees its crates."""
    return bool(case.expectations.io or case.expectations.calls)


def _python_state(environment: Environment) -> EnvironmentState:
    packages = len(pins(environment.requirements))
    state = EnvironmentState(packages=packages)
    try:
        interpreter = bare_interpreter(environment)
    except SteelyardError as error:
        return replace(state, problem=str(error))
    missing = 0 if place_of(environment.requirements, interpreter).is_dir() else packages
    cannot = "neither uv nor pip is here to install them" if missing and installer() is None else ""
    return replace(state, missing=missing, problem=cannot)
