"""One sandbox of each kind, made once for all tests."""

import os
from collections.abc import Callable, Iterator
from typing import Literal

import pytest

from steelyard.ports import Sandbox
from steelyard.sandbox.cgroups.find import find_cgroups
from steelyard.sandbox.cgroups.groups import TreeV2
from tests.sandbox.backends import ALL, ISOLATING


def once(made: dict[str, Sandbox], name: str) -> Sandbox:
    skip_without_rights(name)
    if name not in made:
        made[name] = ALL[name]()
    return made[name]


def skip_without_rights(name: str) -> None:
    """Skip a test of a sandbox that an ordinary user, or a user without control groups, cannot create."""
    if name in {"oci", "gvisor"} and (os.geteuid() != 0 or find_cgroups() is None):
        pytest.skip("containers need root and control groups")


@pytest.fixture(scope="session")
def made() -> Iterator[dict[str, Sandbox]]:
    sandboxes: dict[str, Sandbox] = {}
    yield sandboxes
    for sandbox in sandboxes.values():
        sandbox.close()  # type: ignore[attr-defined]  # every one of ours can be closed


@pytest.fixture(params=ALL)
def any_sandbox(request: pytest.FixtureRequest, made: dict[str, Sandbox]) -> Sandbox:
    return once(made, request.param)


@pytest.fixture(params=ALL)
def make_any(request: pytest.FixtureRequest) -> Callable[[], Sandbox]:
    skip_without_rights(request.param)
    return ALL[request.param]


@pytest.fixture(params=[name for name in ISOLATING if "resource limits only" not in name])
def grouped(request: pytest.FixtureRequest, made: dict[str, Sandbox]) -> Sandbox:
    """Give each sandbox that limits memory, which takes control groups."""
    if find_cgroups() is None:
        pytest.skip("memory is limited by control groups alone, and there are none")
    return once(made, request.param)


@pytest.fixture
def counts_memory(sandbox: Sandbox, request: pytest.FixtureRequest) -> bool:
    """Whether the sandbox counts the memory of all processes together."""
    return "resource limits only" not in request.node.name and find_cgroups() is not None


@pytest.fixture
def own_kernel(request: pytest.FixtureRequest) -> bool:
    """Whether the sandbox brings a kernel of its own, in which a few things are otherwise."""
    return "gvisor" in request.node.name


@pytest.fixture
def dies_as_one(own_kernel: Literal[True, False]) -> bool:
    """Whether everything inside ends when its memory runs out, and not one process."""
    return own_kernel or isinstance(find_cgroups(), TreeV2)


@pytest.fixture
def many(own_kernel: Literal[True, False]) -> int:
    """How many commands are many: to start a kernel for each takes its time."""
    return 8 if own_kernel else 24


@pytest.fixture(params=ISOLATING)
def sandbox(request: pytest.FixtureRequest, made: dict[str, Sandbox]) -> Sandbox:
    return once(made, request.param)
