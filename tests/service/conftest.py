"""One service for the tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.service.servers import Server, serving


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("service"), "--workers", "2", "--allow-uploads") as running:
        yield running
