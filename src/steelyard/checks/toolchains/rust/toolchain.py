"""Find the Rust toolchain of this machine, and build our own two helpers with it once.

The real programs are called, not rustup's stand-ins: those read a configuration and cost 20 ms each time. A
stand-in only says where they are.
"""

import shutil
import subprocess
import threading
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from steelyard.checks.grading.excerpts import excerpt
from steelyard.errors import InfrastructureError
from steelyard.model.execution import GIB, NEUTRAL_FOLDER, Bind, Command, Limits
from steelyard.ports import Sandbox

MISSING = "Rust is not installed: get it from https://rustup.rs, or ask `steelyard doctor`"
BUILD_LIMITS = Limits(wall_s=60, cpu_s=120, memory_bytes=2 * GIB, output_bytes=64 * 1024 * 1024)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """Where the tools are; without clippy the lint of an answer stays unknown."""

    sysroot: str
    libraries: str  # the standard library, for programs that run
    version: str
    has_clippy: bool
    has_cargo: bool

    def tool(self, name: str) -> str:
        """Return the path of one of its programs."""
        return f"{self.sysroot}/bin/{name}"

    @property
    def binds(self) -> tuple[Bind, ...]:
        """What a build needs to see."""
        return (Bind(source=self.sysroot),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Helpers:
    """Our own two programs, built: the library that graded tests use, and the runner."""

    grader: bytes
    runner: bytes


def find_toolchain(rustc: str = "rustc") -> Toolchain:
    """Return this machine's toolchain, or say how to get one."""
    program = shutil.which(rustc)
    if program is None:
        raise InfrastructureError(MISSING)
    sysroot = Path(_asked(program, "--print", "sysroot")).resolve()
    version = _asked(program, "-vV")
    host = next((line[6:] for line in version.splitlines() if line.startswith("host: ")), "")
    tools = {name: (sysroot / "bin" / name).is_file() for name in ("rustc", "clippy-driver", "cargo")}
    if not tools["rustc"]:
        raise InfrastructureError(f"there is no rustc in {sysroot}/bin: {MISSING}")
    return Toolchain(
        sysroot=str(sysroot),
        libraries=f"{sysroot}/lib/rustlib/{host}/lib",
        version=version.partition("\n")[0],
        has_clippy=tools["clippy-driver"],
        has_cargo=tools["cargo"],
    )


def _asked(program: str, *arguments: str) -> str:
    """Return what a tool of this machine says."""
    try:
        done = subprocess.run(  # noqa: S603  # the rustc that the user has put on the path
            [program, *arguments], capture_output=True, text=True, check=True, timeout=60, cwd=NEUTRAL_FOLDER
        )
    except (OSError, subprocess.SubprocessError) as error:
        # What the program says, such as that rustup has no default toolchain, tells more than its exit code.
        text = error.stderr if isinstance(error, subprocess.CalledProcessError) else ""
        output = text.strip().partition("\n")[0] or error
        raise InfrastructureError(f"{program} does not work: {output}; ask `steelyard doctor`") from error
    return done.stdout.strip()


class HelperShelf:
    """Builds the helpers when they are first asked for, however many threads ask."""

    def __init__(self, sandbox: Sandbox, toolchain: Toolchain) -> None:
        self._sandbox = sandbox
        self._toolchain = toolchain
        self._lock = threading.Lock()
        self._built: Helpers | None = None

    def helpers(self) -> Helpers:
        """Return the helpers, built for this toolchain."""
        with self._lock:
            if self._built is None:
                self._built = Helpers(
                    grader=self._build("grader", "rlib"), runner=self._build("runner", "bin")
                )
            return self._built

    def _build(self, name: str, kind: str) -> bytes:
        source = files("steelyard.checks.toolchains.rust").joinpath(f"{name}.rs").read_bytes()
        options = ("--edition", "2021", "-O", "-C", "prefer-dynamic", "--crate-type", kind, "-o", "built")
        result = self._sandbox.run(
            Command(
                argv=(self._toolchain.tool("rustc"), *options, f"{name}.rs"),
                files={f"{name}.rs": source},
                binds=self._toolchain.binds,
                keep=("built",),
                limits=BUILD_LIMITS,
            )
        )
        if not result.succeeded or "built" not in result.files:
            why = excerpt(result.stderr.decoded()) or f"{result.limit or result.signal or result.refused}"
            raise InfrastructureError(f"{self._toolchain.version} cannot build our own {name}.rs: {why}")
        return result.files["built"]
