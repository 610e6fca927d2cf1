"""Containers: what is missing is said, and what the dead have left is swept."""

import os
import tempfile
from pathlib import Path

import pytest

from steelyard.errors import SandboxError
from steelyard.sandbox.oci.sandbox import PREFIX, OciSandbox, sweep
from tests.sandbox.backends import script


def test_a_machine_without_a_runtime_is_told_how_to_get_one() -> None:
    with pytest.raises(SandboxError, match="apt-get install runc"):
        OciSandbox(runtime="no-such-runtime")


def test_a_runtime_that_makes_no_container_is_our_fault() -> None:
    sandbox = OciSandbox(runtime="false")

    with pytest.raises(SandboxError, match="the sandbox did not come up: the runtime made no container"):
        sandbox.run(script("pass"))
    sandbox.close()


def test_what_the_dead_have_left_is_swept_and_what_the_living_have_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead, living = tmp_path / f"{PREFIX}999999999-x", tmp_path / f"{PREFIX}{os.getpid()}-x"
    for folder in (dead, living):
        (folder / "state" / "container").mkdir(parents=True)

    sweep("runc")

    assert not dead.exists()
    assert living.exists()
