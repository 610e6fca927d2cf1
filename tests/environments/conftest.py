"""One engine for all tests of containers."""

from collections.abc import Iterator

import pytest

from steelyard.environments.engine import DockerEngine
from tests.environments.host_image import host_image
from tests.environments.podman import Podman, podman_service

SHELL_IMAGE = "localhost/steelyard-test-shell:1"


@pytest.fixture(scope="session")
def podman() -> Iterator[Podman]:
    with podman_service() as service:
        service.import_image(host_image(), SHELL_IMAGE)
        yield service


@pytest.fixture(scope="session")
def engine(podman: Podman) -> Iterator[DockerEngine]:
    engine = DockerEngine(podman.address)
    yield engine
    engine.close()
