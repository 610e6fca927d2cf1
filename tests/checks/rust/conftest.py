"""One Rust checker for all tests of it, in a real sandbox."""

import pytest

from steelyard.checks.rust import RustChecker
from steelyard.sandbox.bubblewrap import BubblewrapSandbox


@pytest.fixture(scope="session")
def rust() -> RustChecker:
    return RustChecker(BubblewrapSandbox())
