"""Two ordinary users and root on one machine: what one plants in shared folders helps it to nothing.

The users are real to the kernel, by numbers that no one else has.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import steelyard

PLANTER, VICTIM = 61_001, 61_002
GONE = 4_194_304  # higher than any process number
NO_PROCESS = "gone"  # not a number, by which a folder might seem to be that of a process of another test
SHARED = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108  # where everybody may write is what this is about
PREFIXES = ("oci", "gvisor", "runsc", "unsafe", "egress", "rust", "spill", "warm", "environments")
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two other users")

USES = """
from steelyard.model.execution import Command
from steelyard.sandbox.probe import probe
from steelyard.sandbox.process import ProcessSandbox

print([finding.name for finding in probe() if finding.works])
sandbox = ProcessSandbox(allow_unsafe=True)
assert sandbox.run(Command(argv=("/bin/true",))).succeeded
sandbox.close()
"""


class Planted(NamedTuple):
    """What the planter has put into shared folders."""

    folder: Path  # open to all, where traps report
    paths: list[Path]

    def sprung(self) -> list[str]:
        """Return who has sprung a trap: the owners of what it left."""
        return [f"{path.name} by {path.stat().st_uid}" for path in self.folder.glob("sprung*")]


def state(report: Path) -> str:
    """Return the state of a container that has a program run when it is removed."""
    hook = {"path": "/usr/bin/touch", "args": ["touch", str(report)], "env": [], "dir": "", "timeout": None}
    config = {
        "rootfs": "/",
        "cgroups": {"path": "/none", "devices": [], "memory": 0},
        "namespaces": [],
        "Hooks": {"poststop": [hook]},
    }
    process = {"init_process_pid": GONE, "init_process_start": 1, "created": "2026-01-01T00:00:00Z"}
    places = {"cgroup_paths": {}, "namespace_paths": {"NEWNS": f"/proc/{GONE}/ns/mnt"}}
    return json.dumps({"id": "c1", "config": config, **process, **places})


def as_user(user: int, *words: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """Run a program as a user, who has no groups but one of the same number."""
    become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
    return subprocess.run(
        [*become, *words],
        env={"PATH": os.defpath, **(env or {})},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def planted() -> Iterator[Planted]:
    """Plant, as an ordinary user, containers to be swept and links to be followed, under all our names."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o1777)
    paths = []
    for shared in map(Path, SHARED):
        for prefix in PREFIXES:
            trap = shared / f"steelyard-{prefix}-{NO_PROCESS}-x"
            make = f"mkdir -p {trap}/state/c1 && cat > {trap}/state/c1/state.json && chmod -R 777 {trap}"
            text = state(folder / f"sprung-{shared.name}-{prefix}")
            words = [
                "setpriv",
                f"--reuid={PLANTER}",
                f"--regid={PLANTER}",
                "--clear-groups",
                "sh",
                "-c",
                make,
            ]
            subprocess.run(words, input=text, text=True, check=True)
            link = shared / f"steelyard-{prefix}"
            as_user(PLANTER, "ln", "-s", str(folder / "sprung-link"), str(link))
            paths += [trap, link]
    yield Planted(folder, paths)
    for path in paths:
        path.unlink() if path.is_symlink() else shutil.rmtree(path, ignore_errors=True)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def package() -> Iterator[Path]:
    """Copy the package to where every user can read it."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(Path(steelyard.__file__).parent, Path(folder, "steelyard"))
        subprocess.run(["chmod", "-R", "o+rX", folder], check=True)
        yield Path(folder)


def test_the_traps_are_sharp(planted: Planted) -> None:
    runtime = shutil.which("runc")
    assert runtime

    subprocess.run(
        [runtime, "--root", str(planted.paths[0] / "state"), "delete", "--force", "c1"],
        capture_output=True,
        check=True,
    )

    assert planted.sprung() == ["sprung-tmp-oci by 0"]


@pytest.mark.parametrize("user", [0, VICTIM])
def test_what_a_user_plants_is_not_run_followed_or_removed_by_others(
    planted: Planted, package: Path, user: int
) -> None:
    env = {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}

    done = as_user(user, "/usr/bin/python3", "-c", USES, env=env)

    assert "bubblewrap" in done.stdout, done.stderr
    assert ("oci" in done.stdout) is (user == 0)
    assert done.returncode == 0, done.stderr
    assert planted.sprung() == []
    assert [path for path in planted.paths if not os.path.lexists(path)] == []


def test_what_root_keeps_is_closed_to_other_users(package: Path) -> None:
    as_user(0, "/usr/bin/python3", "-c", USES, env={"PYTHONPATH": str(package)})

    for words in (
        ("ls", "/run/steelyard"),
        ("mkdir", "/run/steelyard/mine"),
        ("mv", "/run/steelyard", "/run/other"),
    ):
        assert as_user(PLANTER, *words).returncode != 0, words
    assert Path("/run/steelyard").stat().st_mode & 0o777 == 0o700
