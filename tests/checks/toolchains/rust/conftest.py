"""One Rust checker for all tests of it, in a real sandbox."""

import pytest

from steelyard.checks.toolchains.rust import RustChecker
from tests.checks.leftovers import used_sandbox


@pytest.fixture(scope="session")
def rust() -> RustChecker:
    return RustChecker(used_sandbox())
