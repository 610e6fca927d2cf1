"""Control groups of version 2 on a real kernel: User-mode Linux, started for it, with nothing of version 1.

Where this machine counts memory in version 1, its own kernel cannot do so in version 2 as well.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import steelyard
from steelyard.model.execution import Limit
from tests.repo.package import REPOSITORY

LINUX = shutil.which("linux.uml")
# User-mode Linux 6.1 has no room for the registers of AMX: it panics when its first program starts.
HAS_AMX = "amx_tile" in Path("/proc/cpuinfo").read_text(encoding="utf-8")
SANDBOXES = ("bubblewrap", "warm", "oci")
# The root is this machine's, read-only; what is told goes to a folder that is mounted beside it.
FIRST_PROGRAM = """#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t cgroup2 none /sys/fs/cgroup
mount -t hostfs -o {folder} none /mnt
mount -t tmpfs tmp /tmp; mount -t tmpfs run /run; ln -s /proc/self/fd /dev/fd
cd {repository}
export PATH={path} HOME=/tmp PYTHONDONTWRITEBYTECODE=1
{python} -m tests.sandbox.cgroups.inside {names} > /mnt/told 2> /mnt/complaints
echo o > /proc/sysrq-trigger
sleep 600
"""
# As on a machine where systemd runs a manager for each user who is logged in, here `nobody`. The commands
# start outside of the manager's groups, as those of a session do. Moving them is what systemd as the first
# process would do for the manager; here the manager may do so itself.
MANAGED = """#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs tmp /tmp; mount -t tmpfs run /run; ln -s /proc/self/fd /dev/fd
mkdir /tmp/shared; mount -t hostfs -o {folder} none /tmp/shared
exec > /tmp/shared/told 2> /tmp/shared/complaints
groups=/sys/fs/cgroup; mkdir -p $groups/session $groups/user/manager
echo $$ > $groups/session/cgroup.procs
for above in $groups $groups/user; do echo "+memory +pids" > $above/cgroup.subtree_control; done
chown -R 65534:65534 $groups/user/manager $groups/cgroup.procs
mkdir -p /run/systemd/system /run/user/65534; chown 65534:65534 /run/user/65534
export XDG_RUNTIME_DIR=/run/user/65534 HOME=/tmp PATH=/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1
user="setpriv --reuid=65534 --regid=65534 --clear-groups"
sh -c 'echo $$ > $0/user/manager/cgroup.procs; exec "$@"' $groups $user /usr/lib/systemd/systemd --user \\
    > /dev/null 2>&1 &
until [ "$($user systemctl --user is-system-running 2> /dev/null)" = running ]; do sleep 0.2; done
cd /tmp/shared; $user /usr/bin/python3 -m tests.sandbox.cgroups.inside {names}
echo o > /proc/sysrq-trigger
sleep 600
"""
LIMIT_S = 1500.0


@pytest.mark.timeout(1600)
@pytest.mark.skipif(os.geteuid() != 0, reason="the sandboxes that need root are among them")
@pytest.mark.skipif(HAS_AMX, reason="NOT TESTED: User-mode Linux does not start on a processor with AMX")
@pytest.mark.skipif(LINUX is None, reason="no kernel to start: apt-get install user-mode-linux")
def test_version_2_holds_commands_and_counts_what_they_use(tmp_path: Path) -> None:
    first = tmp_path / "first"
    values = {
        "folder": tmp_path,
        "repository": REPOSITORY,
        "path": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "python": sys.executable,
        "names": " ".join(SANDBOXES),
    }
    quoted = {name: value if name == "names" else shlex.quote(str(value)) for name, value in values.items()}
    first.write_text(FIRST_PROGRAM.format(**quoted), encoding="utf-8")
    first.chmod(0o755)

    start(first)

    told = (tmp_path / "told").read_text(encoding="utf-8")
    assert told, (tmp_path / "complaints").read_text(encoding="utf-8")
    assert json.loads(told) == expected(SANDBOXES)


@pytest.mark.timeout(1600)
@pytest.mark.skipif(HAS_AMX, reason="NOT TESTED: User-mode Linux does not start on a processor with AMX")
@pytest.mark.skipif(LINUX is None, reason="no kernel to start: apt-get install user-mode-linux")
@pytest.mark.skipif(not Path("/usr/lib/systemd/systemd").exists(), reason="no systemd to start")
def test_the_manager_of_an_ordinary_user_gives_control_groups() -> None:
    names = ("bubblewrap", "warm")
    with tempfile.TemporaryDirectory() as name:  # not below pytest's own folder, which others cannot read
        folder = Path(name)
        shutil.copytree(Path(steelyard.__file__).parent, folder / "steelyard")
        for file in ("backends.py", "cgroups/inside.py"):
            (folder / "tests/sandbox" / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / "tests/sandbox" / file, folder / "tests/sandbox" / file)
        first = folder / "first"
        first.write_text(MANAGED.format(folder=folder, names=" ".join(names)), encoding="utf-8")
        first.chmod(0o755)
        subprocess.run(["chmod", "-R", "o+rX", folder], check=True)

        start(first)

        printed = (folder / "told").read_text(encoding="utf-8")
        assert printed, (folder / "complaints").read_text(encoding="utf-8")
    assert json.loads(printed) == expected(names)


def expected(names: Sequence[str]) -> dict[str, object]:
    return {
        "limits": "memory and processes: limited by control groups version 2",
        "left": [],
        **{f"{name}: {what}": Limit.MEMORY for name in names for what in ("memory", "memory together")},
        **{f"{name}: processes": "11" for name in names},  # EAGAIN
        **{f"{name}: counts": [0, None, True] for name in names},
    }


def start(first: Path) -> None:
    """Start a kernel with a program as its first, and wait for both to end."""
    words = ["root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro", f"init={first}", "mem=1G"]
    words += ["cgroup_no_v1=all", "con=null", "con0=null,null", "quiet"]
    kernel = subprocess.Popen(
        [str(LINUX), *words],
        env={"HOME": str(first.parent), "TMPDIR": "/dev/shm", "PATH": os.defpath},  # noqa: S108  # its memory
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        kernel.wait(LIMIT_S)
    finally:
        if kernel.poll() is None:
            os.killpg(kernel.pid, signal.SIGKILL)
            kernel.wait()
