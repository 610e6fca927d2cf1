"""Restart a command in a systemd user scope, where control groups need no root."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from steelyard.model.execution import NEUTRAL_FOLDER
from steelyard.sandbox.cgroups.find import find_cgroups

MARK = "STEELYARD_IN_SCOPE"
UNIFIED = Path("/sys/fs/cgroup/cgroup.controllers")  # exists with version 2 only
MANAGER = "systemd/private"  # its socket, below the user's runtime folder
TRIAL_S = 10.0
# A group with processes cannot limit child groups, so this process moves one group down.
MOVE_DOWN = (
    'scope=/sys/fs/cgroup$(sed -n "s/^0:://p" /proc/self/cgroup) && mkdir "$scope/main" && '
    'echo $$ >"$scope/main/cgroup.procs"; exec "$@"'
)


def enter_user_scope(argv: Sequence[str] = ()) -> None:
    """Replace this process by its command (or `argv`) in a scope, if that enables control groups."""
    program = shutil.which("systemd-run")
    if program is None or MARK in os.environ or not _has_user_manager() or find_cgroups() is not None:
        return
    scope = [program, "--user", "--scope", "--quiet", "--collect", "--property=Delegate=yes", "--"]
    if not _works([*scope, "/bin/true"]):
        return
    command = argv or [sys.executable, *sys.orig_argv[1:]]
    os.environ[MARK] = "1"
    os.execv(program, [*scope, "/bin/sh", "-c", MOVE_DOWN, "sh", *command])  # noqa: S606  # the same command line


def _has_user_manager() -> bool:
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return bool(runtime) and UNIFIED.exists() and Path(runtime, MANAGER).is_socket()


def _works(command: list[str]) -> bool:
    try:
        trial = subprocess.run(  # noqa: S603  # fixed arguments
            command, capture_output=True, check=False, timeout=TRIAL_S, cwd=NEUTRAL_FOLDER
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return trial.returncode == 0
