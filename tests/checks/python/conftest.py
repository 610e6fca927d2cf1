"""One Python checker for all tests of it, in each of the two sandboxes that it is made for."""

from collections.abc import Iterator

import pytest

from steelyard.checks.python import PythonChecker
from steelyard.checks.python.interpreter import this_interpreter
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

Box = BubblewrapSandbox | WarmPythonSandbox


@pytest.fixture(scope="session", params=["cold", "warm"])
def box(request: pytest.FixtureRequest) -> Iterator[Box]:
    sandbox = (
        BubblewrapSandbox()
        if request.param == "cold"
        else WarmPythonSandbox(**this_interpreter().warm_options())
    )
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def checker(box: Box) -> PythonChecker:
    return PythonChecker(box)
