"""Containers: what is missing is said, the leavings of the dead are swept, those of other users are not."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from steelyard.errors import SandboxError
from steelyard.sandbox.oci import bundles
from steelyard.sandbox.oci.bundles import sweep
from steelyard.sandbox.oci.sandbox import PREFIX, OciSandbox
from tests.sandbox.backends import script

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="containers need root")


def test_a_machine_without_a_runtime_is_told_how_to_get_one() -> None:
    with pytest.raises(SandboxError, match="apt-get install runc"):
        OciSandbox(runtime="no-such-runtime")


@needs_root
def test_a_runtime_that_makes_no_container_is_our_fault() -> None:
    sandbox = OciSandbox(runtime="false")

    with pytest.raises(SandboxError, match="sandbox"):
        sandbox.run(script("pass"))
    sandbox.close()


@needs_root
def test_what_the_dead_have_left_is_swept_and_what_the_living_have_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    monkeypatch.setattr(bundles, "STATE", state)
    dead, living = state / f"{PREFIX}999999999-x", state / f"{PREFIX}{os.getpid()}-x"
    for folder in (dead, living):
        (folder / "state" / "container").mkdir(parents=True)
    monkeypatch.setattr(bundles, "CONTROL_GROUPS", tmp_path / "groups")
    made = [tmp_path / "groups" / "memory" / f"{folder.name}-0" for folder in (dead, living)]
    for group in made:
        group.mkdir(parents=True)

    sweep("runc", PREFIX)

    assert not dead.exists()
    assert living.exists()
    assert [group.exists() for group in made] == [False, True]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_folder_that_another_user_planted_is_neither_obeyed_nor_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory() as folder:  # not below pytest's own folder, which is closed to others
        shared = Path(folder)
        shared.chmod(0o1777)
        planted = shared / f"{PREFIX}999999999-x" / "state" / "c1" / "state.json"
        as_other_user("/bin/sh", "-c", f"mkdir -p {planted.parent} && echo '{{}}' > {planted}")
        monkeypatch.setattr(tempfile, "tempdir", str(shared))
        monkeypatch.setattr(bundles, "STATE", tmp_path / "state")
        asked = tmp_path / "asked"
        runtime = tmp_path / "runtime"
        runtime.write_text(f'#!/bin/sh\necho "$@" >> {asked}\n', encoding="utf-8")
        runtime.chmod(0o755)

        OciSandbox(runtime=str(runtime)).close()

        assert planted.exists()
        assert planted.owner() == "nobody"
        assert not asked.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_can_neither_plant_nor_read_where_the_state_of_containers_is() -> None:
    sandbox = OciSandbox(runtime="false")
    try:
        for attempt in (f"mkdir {bundles.STATE}/{PREFIX}999999999-x", f"ls {bundles.STATE}"):
            with pytest.raises(subprocess.CalledProcessError):
                as_other_user("/bin/sh", "-c", attempt)
    finally:
        sandbox.close()


def as_other_user(*words: str) -> None:
    """Run a command as an ordinary user who owns nothing here."""
    become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    subprocess.run([*become, *words], check=True, capture_output=True, cwd="/")
