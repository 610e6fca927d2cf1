"""Find out which sandboxes work on this machine, by running something in each."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from steelyard.errors import SandboxError
from steelyard.model.execution import NEUTRAL_FOLDER, Command, Limits
from steelyard.model.health import Finding, Part
from steelyard.ports import Sandbox
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.cgroups.find import find_cgroups
from steelyard.sandbox.cgroups.groups import Trees, TreeV2
from steelyard.sandbox.gvisor.sandbox import GvisorSandbox
from steelyard.sandbox.oci.sandbox import OciSandbox
from steelyard.sandbox.seccomp.program import program
from steelyard.sandbox.users import is_shared

TRIAL = Command(argv=("/bin/true",), limits=Limits(wall_s=20))
INSTALL_BWRAP = (
    "apt-get install bubblewrap   (dnf install bubblewrap, pacman -S bubblewrap, apk add bubblewrap)"
)
ALLOW_NAMESPACES = "sysctl -w user.max_user_namespaces=15000"
ALLOW_BY_APPARMOR = "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
ALLOW_BY_DEBIAN = "sysctl -w kernel.unprivileged_userns_clone=1"
IN_A_CONTAINER = (
    "start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
)
START_USER_MANAGER = "loginctl enable-linger   (systemd then lets you make control groups; or run as root)"
INSTALL_RUNC = "apt-get install runc   (only needed where user namespaces are off)"
INSTALL_RUNSC = (
    "apt-get install runsc   (only needed for answers that must not meet this machine's kernel: "
    "https://gvisor.dev/docs/user_guide/install/)"
)
PIPE_PAGES = Path("/proc/sys/fs/pipe-user-pages-soft")
SHARED_PIPES = "; commands share one user, so one with many pipes leaves small ones to the others"
FREE_PIPES = "sysctl -w fs.pipe-user-pages-soft=0   (control groups limit what pipes hold)"
SWITCHES = {  # a kernel's setting, the value that forbids, and what to do about it
    "/proc/sys/user/max_user_namespaces": ("0", ALLOW_NAMESPACES),
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": ("1", ALLOW_BY_APPARMOR),
    "/proc/sys/kernel/unprivileged_userns_clone": ("0", ALLOW_BY_DEBIAN),
}


def probe() -> list[Finding]:
    """Return what works, the sandbox to prefer first."""
    return [
        _bubblewrap(),
        _tried("oci", OciSandbox, "runc: a container for each command", INSTALL_RUNC),
        _tried("gvisor", GvisorSandbox, "runsc: a kernel for each command", INSTALL_RUNSC),
    ]


def limits_by(trees: Trees | None) -> str:
    """Describe what limits memory and processes.

    >>> limits_by(None)
    'processes: limited by resource limits; memory: not limited, as no control group can be made'
    """
    if trees is None:
        return "processes: limited by resource limits; memory: not limited, as no control group can be made"
    return f"memory and processes: limited by control groups version {2 if isinstance(trees, TreeV2) else 1}"


def unfiltered(machine: str = "") -> str:
    """Say it if there is no filter of system calls for a processor: by default, this machine's.

    >>> unfiltered("riscv64")
    '; system calls are not filtered: their numbers on this processor are not known'
    """
    is_known = bool(program(machine))
    return (
        "" if is_known else "; system calls are not filtered: their numbers on this processor are not known"
    )


def _bubblewrap() -> Finding:
    if shutil.which("bwrap") is None:
        return _broken("bubblewrap", "bwrap is not installed", INSTALL_BWRAP)
    trees = find_cgroups()
    good = f"{_version('bwrap')}; {limits_by(trees)}{unfiltered()}"
    found = _tried("bubblewrap", BubblewrapSandbox, good, _switch() or IN_A_CONTAINER)
    if found.works and trees is None:
        found = replace(found, fix=START_USER_MANAGER)
    return with_pipes(found, limited=trees is not None) if found.works and is_shared() else found


def with_pipes(found: Finding, *, limited: bool, setting: Path = PIPE_PAGES) -> Finding:
    """Say it if the kernel counts the pipes of all commands together; without limits on memory it had better.

    Where a control group limits memory, pages in pipes count, so that the kernel need not count pipes.
    """
    if not setting.exists() or int(setting.read_text(encoding="ascii")) == 0:
        return found
    return replace(found, detail=found.detail + SHARED_PIPES, fix=FREE_PIPES if limited else found.fix)


def _tried(name: str, make: Callable[[], Sandbox], good: str, fix: str) -> Finding:
    """Make a sandbox and run something in it."""
    try:
        result = make().run(TRIAL)
    except SandboxError as error:
        return _broken(name, str(error), fix)
    if not result.succeeded:
        return _broken(name, f"a trial ended with {result.exit_code}: {result.stderr.decoded()}", fix)
    return Finding(part=Part.SANDBOX, name=name, works=True, detail=good)


def _broken(name: str, detail: str, fix: str) -> Finding:
    return Finding(part=Part.SANDBOX, name=name, works=False, detail=detail, fix=fix)


def _switch(switches: dict[str, tuple[str, str]] = SWITCHES) -> str | None:
    """Return what to do about the first kernel setting that forbids user namespaces."""
    for path, (forbidding, fix) in switches.items():
        setting = Path(path)
        if setting.exists() and setting.read_text(encoding="ascii").strip() == forbidding:
            return fix
    return None


def _version(program: str) -> str:
    done = subprocess.run(  # noqa: S603  # our own words
        [program, "--version"], capture_output=True, text=True, check=False, cwd=NEUTRAL_FOLDER
    )
    return done.stdout.strip()
