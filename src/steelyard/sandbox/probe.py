"""Find the sandboxes that work on this machine by running a command in each."""

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
START_USER_MANAGER = "loginctl enable-linger   (systemd then provides control groups; or run as root)"
INSTALL_RUNC = "apt-get install runc   (only needed where user namespaces are off)"
INSTALL_RUNSC = (
    "apt-get install runsc   (only needed to keep answers off this machine's kernel: "
    "https://gvisor.dev/docs/user_guide/install/)"
)
PIPE_PAGES = Path("/proc/sys/fs/pipe-user-pages-soft")
SHARED_PIPES = "; commands share one user: a hostile one can reduce the pipe buffers of the others"
FREE_PIPES = "sysctl -w fs.pipe-user-pages-soft=0   (control groups limit what pipes hold)"
SWITCHES = {  # a kernel setting, the forbidding value, and the remedy
    "/proc/sys/user/max_user_namespaces": ("0", ALLOW_NAMESPACES),
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": ("1", ALLOW_BY_APPARMOR),
    "/proc/sys/kernel/unprivileged_userns_clone": ("0", ALLOW_BY_DEBIAN),
}


def probe() -> list[Finding]:
    """Return a finding for each sandbox, the preferred one first."""
    return [
        _bubblewrap(),
        _tried("oci", OciSandbox, "runc: a container for each command", INSTALL_RUNC),
        _tried("gvisor", GvisorSandbox, "runsc: a kernel for each command", INSTALL_RUNSC),
    ]


def limits_by(trees: Trees | None) -> str:
    """Describe what limits memory and processes.

    >>> limits_by(None)
    'processes: limited by resource limits; memory: not limited (no control groups)'
    """
    if trees is None:
        return "processes: limited by resource limits; memory: not limited (no control groups)"
    return f"memory and processes: limited by control groups version {2 if isinstance(trees, TreeV2) else 1}"


def unfiltered(machine: str = "") -> str:
    """Return a notice if there is no system call filter for a processor, by default this one.

    >>> unfiltered("riscv64")
    '; system calls: not filtered on this processor'
    """
    is_known = bool(program(machine))
    return "" if is_known else "; system calls: not filtered on this processor"


def _bubblewrap() -> Finding:
    if shutil.which("bwrap") is None:
        return _broken("bubblewrap", "bwrap is not installed", INSTALL_BWRAP)
    trees = find_cgroups()
    good = f"{_version('bwrap')}; {limits_by(trees)}{unfiltered()}"
    finding = _tried("bubblewrap", BubblewrapSandbox, good, _switch() or IN_A_CONTAINER)
    if finding.works and trees is None:
        finding = replace(finding, fix=START_USER_MANAGER)
    return with_pipes(finding, limited=trees is not None) if finding.works and is_shared() else finding


def with_pipes(finding: Finding, *, limited: bool, setting: Path = PIPE_PAGES) -> Finding:
    """Add a notice if the kernel counts the pipes of all commands together.

    Only where a control group limits memory, which includes pipe pages, may that count be turned off.
    """
    if not setting.exists() or int(setting.read_text(encoding="ascii")) == 0:
        return finding
    return replace(finding, detail=finding.detail + SHARED_PIPES, fix=FREE_PIPES if limited else finding.fix)


def _tried(name: str, make: Callable[[], Sandbox], good: str, fix: str) -> Finding:
    """Create a sandbox and run a command in it."""
    try:
        result = make().run(TRIAL)
    except SandboxError as error:
        return _broken(name, str(error), fix)
    if not result.succeeded:
        return _broken(name, f"a test command exited with {result.exit_code}: {result.stderr.decoded()}", fix)
    return Finding(part=Part.SANDBOX, name=name, works=True, detail=good)


def _broken(name: str, detail: str, fix: str) -> Finding:
    return Finding(part=Part.SANDBOX, name=name, works=False, detail=detail, fix=fix)


def _switch(switches: dict[str, tuple[str, str]] = SWITCHES) -> str | None:
    """Return the remedy for the first kernel setting that forbids user namespaces."""
    for path, (forbidding, fix) in switches.items():
        setting = Path(path)
        if setting.exists() and setting.read_text(encoding="ascii").strip() == forbidding:
            return fix
    return None


def _version(program: str) -> str:
    done = subprocess.run(  # noqa: S603  # fixed arguments
        [program, "--version"], capture_output=True, text=True, check=False, cwd=NEUTRAL_FOLDER
    )
    return done.stdout.strip()
