"""The sandbox that is none: only for those who insist, and never unnoticed."""

import pytest

from steelyard.errors import SandboxError
from steelyard.sandbox.process import ProcessSandbox


def test_it_refuses_unless_somebody_insists() -> None:
    with pytest.raises(SandboxError, match="--unsafe-no-sandbox"):
        ProcessSandbox()


def test_it_says_that_it_isolates_nothing() -> None:
    assert not ProcessSandbox.isolates
