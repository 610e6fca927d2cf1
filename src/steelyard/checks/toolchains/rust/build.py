"""Build answers in the sandbox: as a library under clippy, and with their graded tests.

No code of the answer runs: it has no build script, manifest or macro crate.
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
# Clippy's errors are lints like its warnings; as warnings they do not fail the build.
_LINTED = ("-W", "clippy::correctness", "--force-warn", "unsafe_code")
_LOADABLE = ("--crate-type", "cdylib", "-C", "codegen-units=1", "-o", LIBRARY)
_SHARED_STD = ("-C", "prefer-dynamic")
_ALLOCATOR = b"global_allocator"  # tests with an allocator need a static standard library


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """The graded tests of one check: module, its random name, and support library."""

    nonce: str
    module: str
    grader: bytes

    @property
    def files(self) -> dict[str, bytes]:
        """The files of a build with tests, besides the answer."""
        return {f"src/{self.nonce}.rs": self.module.encode(), f"lib{self.nonce}.rlib": self.grader}

    @property
    def extern(self) -> tuple[str, ...]:
        """The compiler options for the support library."""
        return ("--extern", f"{self.nonce}=lib{self.nonce}.rlib")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """The result of a build with its diagnostics."""

    ran: ExecResult
    diagnostics: Diagnostics

    @property
    def library(self) -> bytes | None:
        """The answer with its tests as a loadable library."""
        return self.ran.files.get(LIBRARY) if self.ran.succeeded else None

    @property
    def linkable(self) -> bytes | None:
        """The answer without tests, to link with test crates."""
        return self.ran.files.get(LINKABLE) if self.ran.succeeded else None

    @property
    def is_complete(self) -> bool:
        """Whether no diagnostics were truncated, so they can be counted."""
        return not self.ran.stderr.truncated

    @property
    def ran_out_of_time(self) -> bool:
        """Whether the build reached its time limit."""
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
        """Build the answer without tests, as `cargo clippy` does; `linkable` for use by test crates."""
        emitted = ("-o", LINKABLE) if linkable else ("--emit=metadata", "-o", "libanswer.rmeta")
        argv = (self._linting, *self._lints(), "--crate-type", "lib", *emitted)
        ended = self._build((*argv, *_NAMED), sources, built, wall_s)
        if not linkable or ended.linkable or not ended.diagnostics.only_lints_fail:
            return ended
        # Clippy's errors prevented the library; the plain compiler has none.
        quiet = (self._toolchain.tool("rustc"), "--cap-lints", "allow", "--crate-type", "lib", *emitted)
        return replace(self._build((*quiet, *_NAMED), sources, built, wall_s), diagnostics=ended.diagnostics)

    def graded(
        self, sources: Mapping[str, bytes], built: Built, grading: Grading, *, wall_s: float, linted: bool
    ) -> BuildResult:
        """Build the answer with its graded tests, with lints or without."""
        tool = self._linting if linted else self._toolchain.tool("rustc")
        lints = self._lints() if linted else ("--cap-lints", "allow")
        # The module of tests comes last. The item before it absorbs an attribute at the end of the answer.
        tail = f'\nconst _: () = ();\n#[path = "{grading.nonce}.rs"]\nmod {grading.nonce};\n'
        with_tests = {**sources, ROOT: sources[ROOT] + tail.encode(), **grading.files}
        argv = (tool, *lints, *_LOADABLE, *_SHARED_STD, *grading.extern, *_NAMED)
        return self._build(argv, with_tests, built, wall_s, grading.nonce)

    def against(  # noqa: PLR0913  # the parts of a build
        self,
        linkable: bytes,
        crate: str,
        files: Mapping[str, bytes],
        built: Built,
        grading: Grading,
        *,
        wall_s: float,
    ) -> BuildResult:
        """Build a test crate, which sees only public items of the answer."""
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
        return BuildResult(ran=ran, diagnostics=read_diagnostics(ran.stderr.decoded(), exclude=own))
