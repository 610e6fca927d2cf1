"""Inspect and install the packages of an eval set's cases.

Only Python packages are installed; npm packages and Rust crates are read from local folders.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib.util import find_spec

from steelyard.checks.forms.text import html, json
from steelyard.checks.known_answers import TEXTS
from steelyard.checks.npm import node_packages
from steelyard.checks.toolchains.python.environment import bare_interpreter, interpreter_of, package_folder
from steelyard.checks.toolchains.python.install import installer
from steelyard.checks.toolchains.rust.vendored import FOLDER_ENV as VENDOR_ENV
from steelyard.checks.toolchains.rust.vendored import crates_of, is_rust, missing_crates, vendor_folder
from steelyard.errors import SteelyardError, UserError
from steelyard.model.case import Case
from steelyard.model.environment import Environment, EnvironmentState, pins

# The package that a setting of text needs, and how to install it.
PACKAGES_OF_SETTINGS = {"json_schema": ("jsonschema", json.MISSING), "html": ("justhtml", html.MISSING)}


def environments_of(cases: Iterable[Case]) -> tuple[Environment, ...]:
    """Return the environments of some cases, each once."""
    return tuple(dict.fromkeys(case.environment for case in cases if case.environment is not None))


def environment_states(cases: Sequence[Case]) -> tuple[EnvironmentState, ...]:
    """Return the state of each environment on this machine; installs nothing."""
    crates = (_crate_state(cases),) if crates_of(cases) else ()
    return (*map(_state, environments_of(cases)), *crates)


def install_environments(cases: Sequence[Case], notify: Callable[[str], None]) -> None:
    """Install missing Python packages, after a message to `notify`.

    Raises UserError if anything else is missing or an installation fails.
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
    """Raise UserError if npm packages, crates or text readers of a case are missing."""
    node_packages(case.environment)
    for setting, (package, missing) in PACKAGES_OF_SETTINGS.items() if case.language in TEXTS else ():
        if setting in case.expectations.settings and find_spec(package) is None:
            raise UserError(missing)
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
            f"remove the `dependencies` of {unusable[0]}"
        )
        return EnvironmentState(language="Rust", packages=packages, problem=problem)
    try:
        missing, problem = missing_crates(cases, vendor_folder()), ""
    except SteelyardError as error:
        missing, problem = (), str(error)
    if missing:
        problem = (
            f"crates of the eval set are missing: {', '.join(missing)}. "
            f"Download them with `cargo vendor`, and set {VENDOR_ENV} to its folder."
        )
    return EnvironmentState(language="Rust", packages=packages, problem=problem)


def _has_no_crate(case: Case) -> bool:
    """Whether the build of this case ignores its crates."""
    return bool(case.expectations.io or case.expectations.calls)


def _python_state(environment: Environment) -> EnvironmentState:
    packages = len(pins(environment.requirements))
    state = EnvironmentState(packages=packages)
    try:
        interpreter = bare_interpreter(environment)
    except SteelyardError as error:
        return replace(state, problem=str(error))
    missing = 0 if package_folder(environment.requirements, interpreter).is_dir() else packages
    cannot = "neither uv nor pip is available to install them" if missing and installer() is None else ""
    return replace(state, missing=missing, problem=cannot)
