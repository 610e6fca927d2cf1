"""The Python checker in a cold and in a warm sandbox, shared by all of its tests."""

from collections.abc import Iterator

import pytest

from steelyard.checks.toolchains.python import PythonChecker
from steelyard.checks.toolchains.python.interpreter import this_interpreter
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

AnySandbox = BubblewrapSandbox | WarmPythonSandbox


@pytest.fixture(scope="session", params=["cold", "warm"])
def python_sandbox(request: pytest.FixtureRequest) -> Iterator[AnySandbox]:
    sandbox = (
        BubblewrapSandbox()
        if request.param == "cold"
        else WarmPythonSandbox(**this_interpreter().warm_options())
    )
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def checker(python_sandbox: AnySandbox) -> PythonChecker:
    return PythonChecker(python_sandbox)
