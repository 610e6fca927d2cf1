"""What holds for all tests that start Ray."""

import os
from collections.abc import Iterator

import pytest

COUNTED = "COVERAGE_PROCESS_CONFIG"  # by this, coverage starts in every Python process that a test starts


@pytest.fixture(scope="module", autouse=True)
def uncounted_processes() -> Iterator[None]:
    """Leave Ray's processes uncounted: they would take longer to start than Ray waits for them."""
    config = os.environ.pop(COUNTED, None)
    yield
    if config is not None:
        os.environ[COUNTED] = config
