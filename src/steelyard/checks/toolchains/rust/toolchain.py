"""Find the installed Rust toolchain and build two helper programs with it.

Calls the tools directly, not through rustup's proxies, which cost 20 ms each.
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

MISSING = "Rust is not installed: get it from https://rustup.rs, or run `steelyard doctor`"
BUILD_LIMITS = Limits(wall_s=60, cpu_s=120, memory_bytes=2 * GIB, output_bytes=64 * 1024 * 1024)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """The installed tools; without clippy, lints are unknown."""

    sysroot: str
    libraries: str  # the standard library, for running programs
    version: str
    has_clippy: bool
    has_cargo: bool

    def tool(self, name: str) -> str:
        """Return the path of a tool."""
        return f"{self.sysroot}/bin/{name}"

    @property
    def binds(self) -> tuple[Bind, ...]:
        """The binds of a build."""
        return (Bind(source=self.sysroot),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Helpers:
    """The built helper programs: support library of graded tests, and test runner."""

    grader: bytes
    runner: bytes


def find_toolchain(rustc: str = "rustc") -> Toolchain:
    """Return the installed toolchain; the error explains how to install one."""
    program = shutil.which(rustc)
    if program is None:
        raise InfrastructureError(MISSING)
    sysroot = Path(_output(program, "--print", "sysroot")).resolve()
    version = _output(program, "-vV")
    host = next((line[6:] for line in version.splitlines() if line.startswith("host: ")), "")
    tools = {name: (sysroot / "bin" / name).is_file() for name in ("rustc", "clippy-driver", "cargo")}
    if not tools["rustc"]:
        raise InfrastructureError(f"no rustc in {sysroot}/bin: {MISSING}")
    return Toolchain(
        sysroot=str(sysroot),
        libraries=f"{sysroot}/lib/rustlib/{host}/lib",
        version=version.partition("\n")[0],
        has_clippy=tools["clippy-driver"],
        has_cargo=tools["cargo"],
    )


def _output(program: str, *arguments: str) -> str:
    """Return the output of a tool."""
    try:
        done = subprocess.run(  # noqa: S603  # the rustc on the user's path
            [program, *arguments], capture_output=True, text=True, check=True, timeout=60, cwd=NEUTRAL_FOLDER
        )
    except (OSError, subprocess.SubprocessError) as error:
        # Standard error explains more than the exit code, such as a missing default toolchain.
        stderr = error.stderr if isinstance(error, subprocess.CalledProcessError) else ""
        reason = stderr.strip().partition("\n")[0] or error
        raise InfrastructureError(f"{program} does not work: {reason}; run `steelyard doctor`") from error
    return done.stdout.strip()


class HelperShelf:
    """Builds the helpers once, on first use; thread-safe."""

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
        ended = self._sandbox.run(
            Command(
                argv=(self._toolchain.tool("rustc"), *options, f"{name}.rs"),
                files={f"{name}.rs": source},
                binds=self._toolchain.binds,
                keep=("built",),
                limits=BUILD_LIMITS,
            )
        )
        if not ended.succeeded or "built" not in ended.files:
            why = excerpt(ended.stderr.decoded()) or f"{ended.limit or ended.signal or ended.refused}"
            raise InfrastructureError(f"{self._toolchain.version} cannot build {name}.rs: {why}")
        return ended.files["built"]
