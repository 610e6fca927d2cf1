"""Build an answer in the sandbox: as a library under clippy, and together with its graded tests.

No code of the answer runs here: there is no build script, no manifest and no macro crate of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from steelyard.checks.toolchains.rust.dependencies import Built
from steelyard.checks.toolchains.rust.diagnostics import Diagnostics, read_diagnostics
from steelyard.checks.toolchains.rust.toolchain import BUILD_LIMITS, Toolchain
from steelyard.model.execution import Command, ExecResult, Limit
from steelyard.ports import Sandbox

ROOT = "src/lib.rs"
LIBRARY = "libanswer.so"
LINKABLE = "libanswer.rlib"
MANIFEST = {"CARGO_PKG_NAME": "answer", "CARGO_PKG_VERSION": "0.1.0", "CARGO_CRATE_NAME": "answer"}
_COMMON = (
    *("--edition", "2021", "--error-format=json", "--diagnostic-width=110"),
    *("--check-cfg", "cfg(docsrs,test)"),
)
_NAMED = ("--crate-name", "answer", ROOT)
# Clippy's own errors are lints like its warnings; as warnings they stop no build.
_LINTED = ("-W", "clippy::correctness", "--force-warn", "unsafe_code")
_LOADABLE = ("--crate-type", "cdylib", "-C", "codegen-units=1", "-o", LIBRARY)
_SHARED_STD = ("-C", "prefer-dynamic")
_ALLOCATOR = b"global_allocator"  # tests that bring their own allocator need a standard library of their own


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """The graded tests of one check: their module, its random name, and the library they lean on."""

    nonce: str
    module: str
    grader: bytes

    @property
    def files(self) -> dict[str, bytes]:
        """What a build of the tests needs besides the answer."""
        return {f"src/{self.nonce}.rs": self.module.encode(), f"lib{self.nonce}.rlib": self.grader}

    @property
    def extern(self) -> tuple[str, ...]:
        """The options by which the tests find the library they lean on."""
        return ("--extern", f"{self.nonce}=lib{self.nonce}.rlib")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """What a build gave, and what the tools said about the answer."""

    ran: ExecResult
    said: Diagnostics

    @property
    def library(self) -> bytes | None:
        """The answer with its tests, ready to be loaded."""
        return self.ran.files.get(LIBRARY) if self.ran.succeeded else None

    @property
    def linkable(self) -> bytes | None:
        """The answer alone, ready to be linked to tests that are a crate of their own."""
        return self.ran.files.get(LINKABLE) if self.ran.succeeded else None

    @property
    def is_complete(self) -> bool:
        """Whether everything the tool said has been kept, so that it can be counted."""
        return not self.ran.stderr.truncated

    @property
    def ran_out_of_time(self) -> bool:
        """Whether the build was stopped by the clock."""
        return self.ran.limit in {Limit.WALL, Limit.CPU}


class Builder:
    """Builds answers with one toolchain in one sandbox."""

    def __init__(self, sandbox: Sandbox, toolchain: Toolchain) -> None:
        self._sandbox = sandbox
        self._toolchain = toolchain
        self._linting = toolchain.tool("clippy-driver" if toolchain.has_clippy else "rustc")

    def library(
        self, sources: Mapping[str, bytes], built: Built, *, wall_s: float, linkable: bool = False
    ) -> BuildResult:
        """Build the answer alone, as `cargo clippy` does; linkable, so that other crates can use it."""
        emitted = ("-o", LINKABLE) if linkable else ("--emit=metadata", "-o", "libanswer.rmeta")
        argv = (self._linting, *self._lints(), "--crate-type", "lib", *emitted)
        result = self._build((*argv, *_NAMED), sources, built, wall_s)
        if not linkable or result.linkable or not result.said.only_lints_fail:
            return result
        # Clippy's errors kept the library back; the compiler alone has none.
        quiet = (self._toolchain.tool("rustc"), "--cap-lints", "allow", "--crate-type", "lib", *emitted)
        return replace(self._build((*quiet, *_NAMED), sources, built, wall_s), said=result.said)

    def graded(
        self, sources: Mapping[str, bytes], built: Built, grading: Grading, *, wall_s: float, linted: bool
    ) -> BuildResult:
        """Build the answer with its graded tests; lint it on the way, or keep all lints quiet."""
        tool = self._linting if linted else self._toolchain.tool("rustc")
        lints = self._lints() if linted else ("--cap-lints", "allow")
        # The child module comes last, where it sees all that the answer defines. The item before it takes
        # whatever attribute the answer may have left hanging at its end.
        tail = f'\nconst _: () = ();\n#[path = "{grading.nonce}.rs"]\nmod {grading.nonce};\n'
        with_tests = {**sources, ROOT: sources[ROOT] + tail.encode(), **grading.files}
        argv = (tool, *lints, *_LOADABLE, *_SHARED_STD, *grading.extern, *_NAMED)
        return self._build(argv, with_tests, built, wall_s, grading.nonce)

    def against(  # noqa: PLR0913  # the parts of one build
        self,
        linkable: bytes,
        crate: str,
        files: Mapping[str, bytes],
        built: Built,
        grading: Grading,
        *,
        wall_s: float,
    ) -> BuildResult:
        """Build tests that are a crate of their own; they see of the answer what it makes public."""
        own = f"src/{grading.nonce}.rs"
        std = () if _ALLOCATOR in grading.files[own] else _SHARED_STD
        argv = (self._toolchain.tool("rustc"), "--cap-lints", "allow", *_LOADABLE, *std, *grading.extern)
        named = ("--extern", f"{crate}={LINKABLE}", "--crate-name", grading.nonce, own)
        with_answer = {**files, **grading.files, LINKABLE: linkable}
        return self._build((*argv, *named), with_answer, built, wall_s, grading.nonce)

    def _lints(self) -> tuple[str, ...]:
        return _LINTED if self._toolchain.has_clippy else _LINTED[2:]

    def _build(
        self,
        argv: tuple[str, ...],
        sources: Mapping[str, bytes],
        built: Built,
        wall_s: float,
        own: str = "\0",
    ) -> BuildResult:
        ran = self._sandbox.run(
            Command(
                argv=(*argv, *_COMMON, *built.options),
                files=sources,
                binds=(*self._toolchain.binds, *built.binds),
                env=MANIFEST,
                keep=tuple(name for name in (LIBRARY, LINKABLE) if name in argv),
                limits=replace(BUILD_LIMITS, wall_s=wall_s, cpu_s=2 * wall_s),
            )
        )
        return BuildResult(ran=ran, said=read_diagnostics(ran.stderr.decoded(), leave_out=own))
