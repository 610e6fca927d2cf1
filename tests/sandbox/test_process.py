"""The sandbox that is none: only for those who insist, and never unnoticed."""

import pytest

from steelyard.errors import SandboxError
from steelyard.sandbox.process import ProcessSandbox
from tests.sandbox.backends import script


def test_it_refuses_unless_somebody_insists() -> None:
    with pytest.raises(SandboxError, match="--unsafe-no-sandbox"):
        ProcessSandbox()


def test_its_results_are_marked() -> None:
    sandbox = ProcessSandbox(allow_unsafe=True)

    assert not sandbox.run(script("pass")).isolated
    sandbox.close()
