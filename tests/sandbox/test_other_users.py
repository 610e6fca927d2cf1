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
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two other users")

SANDBOXES = """
from steelyard.model.execution import Command
from steelyard.sandbox.probe import probe
from steelyard.sandbox.process import ProcessSandbox

print([finding.name for finding in probe() if finding.works])
sandbox = ProcessSandbox(allow_unsafe=True)
assert sandbox.run(Command(argv=("/bin/true",))).succeeded
sandbox.close()
"""
EGRESS = """
import asyncio
from steelyard.providers.command.egress.allow_list import ANY_PUBLIC
from steelyard.providers.command.egress.proxy import EgressProxy

async def use():
    async with EgressProxy(ANY_PUBLIC) as proxy:
        assert proxy.path.is_socket()

asyncio.run(use())
"""
RUST = """
import io, tarfile
from unittest.mock import Mock
from steelyard.checks.toolchains.rust.dependencies import Dependencies
from steelyard.model.case import Case, Dependency

archive = io.BytesIO()
tarfile.open(fileobj=archive, mode="w").close()
built = Mock(succeeded=True, files={"deps.tar": archive.getvalue(), "built.jsonl": b""})
toolchain = Mock(has_cargo=True, version="1", sysroot="/usr", binds=())
toolchain.tool.return_value = "cargo"
case = Case(id="a", language="rust", dependencies=(Dependency(name="itoa", version="1"),))
assert Dependencies(Mock(run=lambda command: built), toolchain).of(case).binds
"""
SPILL = """
import sys
from pathlib import Path
from unittest.mock import Mock

duckdb = sys.modules["duckdb"] = Mock()  # which an ordinary user may not have; the folder is ours
from steelyard.store.database import connect

connect()
Path(duckdb.connect.call_args.kwargs["config"]["temp_directory"]).mkdir()  # as DuckDB does
"""
VIEW = """
from steelyard.web.login_file import login_file

with login_file("http://127.0.0.1:1/") as page:
    assert page
"""
USES = {
    "oci": SANDBOXES,
    "gvisor": SANDBOXES,
    "unsafe": SANDBOXES,
    "egress": EGRESS,
    "rust": RUST,
    "spill": SPILL,
    "view": VIEW,
}
PLANT = 'mkdir -p "$1/state/c1" "$2" && echo "$3" > "$1/state/c1/state.json" && chmod -R 777 "$1" "$2"'
# As if names were known beforehand, and the state of containers lay where others can write.
CARELESS = """
import tempfile
from pathlib import Path
import steelyard.sandbox.private_folder

def known(suffix=None, prefix=None, dir=None):
    path = Path({folder!r}, "-".join(prefix.split("-")[:2]))
    path.mkdir(exist_ok=True)
    return str(path)

tempfile.mkdtemp = known
steelyard.sandbox.private_folder.private_folder = lambda path: Path({folder!r})
"""


class Planted(NamedTuple):
    """What the planter has put into shared folders."""

    folder: Path  # open to all, where traps report; there are traps in it too
    paths: list[Path]

    def run(self) -> list[str]:
        """Return what was run for the planter, and by which user."""
        return [f"{path.name} by {path.stat().st_uid}" for path in self.folder.glob("run-*")]

    def used(self) -> list[str]:
        """Return the folders that are gone, or in which something was made or removed."""
        return [str(path) for path in self.paths if not path.exists() or path.stat().st_mtime_ns]


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
    """Plant, as an ordinary user, containers to be swept and folders to be used, under all our names."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o1777)
    paths = []
    for shared in (*map(Path, SHARED), folder):
        for prefix in USES:
            known = shared / f"steelyard-{prefix}"
            trap = shared / f"steelyard-{prefix}-{NO_PROCESS}-x"
            text = state(folder / f"run-{shared.name}-{prefix}")
            done = as_user(PLANTER, "sh", "-c", PLANT, "sh", str(trap), str(known), text)
            assert done.returncode == 0, done.stderr
            paths += [trap, known]
    for path in paths:
        os.utime(path, (0, 0))
    yield Planted(folder, paths)
    for path in paths:
        shutil.rmtree(path, ignore_errors=True)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def package() -> Iterator[Path]:
    """Copy the package to where every user can read it."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(Path(steelyard.__file__).parent, Path(folder, "steelyard"))
        subprocess.run(["chmod", "-R", "o+rX", folder], check=True)
        yield Path(folder)


def used_by(user: int, source: str, package: Path) -> "subprocess.CompletedProcess[str]":
    env = {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    return as_user(user, "/usr/bin/python3", "-c", source, env=env)


@pytest.mark.parametrize("prefix", USES)
def test_the_traps_are_sharp(planted: Planted, package: Path, prefix: str) -> None:
    careless = CARELESS.format(folder=str(planted.folder))

    used_by(0, careless + USES[prefix], package)

    assert any(f"{planted.folder}/steelyard-{prefix}" in path for path in planted.used())
    assert planted.run() == ([f"run-{planted.folder.name}-oci by 0"] if USES[prefix] is SANDBOXES else [])


@pytest.mark.parametrize("source", [SANDBOXES, *sorted({*USES.values()} - {SANDBOXES})])
@pytest.mark.parametrize("user", [0, VICTIM])
def test_what_a_user_plants_is_not_run_used_or_removed_by_others(
    planted: Planted, package: Path, user: int, source: str
) -> None:
    done = used_by(user, source, package)

    assert done.returncode == 0, done.stderr
    assert planted.run() == []
    assert planted.used() == []
    if source is SANDBOXES:
        assert "bubblewrap" in done.stdout, done.stderr
        assert ("oci" in done.stdout) is (user == 0)


def test_what_root_keeps_is_closed_to_other_users(package: Path) -> None:
    used_by(0, SANDBOXES, package)

    for words in (
        ("ls", "/run/steelyard"),
        ("mkdir", "/run/steelyard/mine"),
        ("mv", "/run/steelyard", "/run/other"),
    ):
        assert as_user(PLANTER, *words).returncode != 0, words
    assert Path("/run/steelyard").stat().st_mode & 0o777 == 0o700
