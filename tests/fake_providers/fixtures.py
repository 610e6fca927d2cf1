"""The fixture that gives a test a server of its own."""

from collections.abc import Iterator

import pytest

from tests.fake_providers.server import VendorServer, serving


@pytest.fixture
def vendors() -> Iterator[VendorServer]:
    """A server that answers with the prompt, until a test changes its behaviour."""
    with serving() as server:
        yield server
