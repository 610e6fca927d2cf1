"""Return the Python of an environment with its packages, which are installed when they are not there yet."""

from dataclasses import replace
from functools import cache

from steelyard.checks.python.find_python import find_python
from steelyard.checks.python.install import installed
from steelyard.checks.python.interpreter import Interpreter, this_interpreter
from steelyard.model.environment import Environment
from steelyard.model.execution import Bind


@cache
def interpreter_of(environment: Environment | None) -> Interpreter:
    """Return the Python on which answers in an environment run; raises where something is missing."""
    bare = bare_interpreter(environment)
    if environment is None:
        return bare
    packages = _folders(environment.requirements, bare)
    return replace(
        bare, packages=packages, binds=(*bare.binds, *(Bind(source=folder) for folder in packages))
    )


def bare_interpreter(environment: Environment | None) -> Interpreter:
    """Return the Python of an environment without its packages."""
    return find_python(environment.python) if environment and environment.python else this_interpreter()


def _folders(requirements: str, interpreter: Interpreter) -> tuple[str, ...]:
    folder = installed(requirements, interpreter)
    return () if folder is None else (str(folder),)
