"""Look at the environments of an eval set's cases: what is installed, what can be, and install it."""

from collections.abc import Callable, Iterable

from steelyard.checks.python.environment import bare_interpreter, interpreter_of
from steelyard.checks.python.install import installer
from steelyard.checks.python.package_cache import place_of
from steelyard.errors import SteelyardError
from steelyard.model.case import Case
from steelyard.model.environment import Environment, EnvironmentState, pins


def environments_of(cases: Iterable[Case]) -> tuple[Environment, ...]:
    """Return the environments of some cases, each once."""
    return tuple(dict.fromkeys(case.environment for case in cases if case.environment is not None))


def environment_states(cases: Iterable[Case]) -> tuple[EnvironmentState, ...]:
    """Return what this machine has of each environment; nothing is installed."""
    return tuple(map(_state, environments_of(cases)))


def install_environments(cases: Iterable[Case], notify: Callable[[str], None]) -> None:
    """Install what is missing of the environments of some cases, and tell so first."""
    for environment in environments_of(cases):
        if missing := _state(environment).missing:
            packages = f"{missing} package{'' if missing == 1 else 's'}"
            notify(
                f"the first run of this eval set takes longer: installing {packages} for answers in Python"
            )
        interpreter_of(environment)


def _state(environment: Environment) -> EnvironmentState:
    lists = _lists(environment)
    packages = sum(len(pins(text)) for text in lists)
    try:
        interpreter = bare_interpreter(environment)
    except SteelyardError as error:
        return EnvironmentState(packages=packages, problem=str(error))
    missing = sum(len(pins(text)) for text in lists if not place_of(text, interpreter).is_dir())
    cannot = "neither uv nor pip is here to install them" if missing and installer() is None else ""
    return EnvironmentState(packages=packages, missing=missing, problem=cannot)


def _lists(environment: Environment) -> list[str]:
    both = (environment.requirements, environment.test_requirements or "")
    return [text for text in dict.fromkeys(both) if pins(text)]
