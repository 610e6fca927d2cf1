"""Run built graded tests, each in its own process.

The runner reports over a channel; lines start with a secret that the answer's processes do not have.
"""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.checks.toolchains.rust.toolchain import Toolchain
from steelyard.errors import SandboxError
from steelyard.model.execution import Bind, Command, ExecResult, Limit, Limits
from steelyard.ports import Sandbox

STANDARD_LIBRARY = "rust"  # folder in the workspace
HELD = "held"
MISSING = "missing"
_THREAD = re.compile(r"^(thread '[^'\n]*') \(\d+\)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RustTestRun:
    """The ending of each test, in order; None without a report."""

    endings: tuple[str | None, ...]
    ran: ExecResult

    @property
    def passed(self) -> int:
        """The number of passed tests."""
        return self.endings.count(HELD)

    @property
    def all_held(self) -> bool:
        """Whether there were tests and all passed."""
        return bool(self.endings) and self.passed == len(self.endings)

    @property
    def none_found(self) -> bool:
        """Whether the build contains none of the tests."""
        return set(self.endings) == {MISSING}

    @property
    def ran_out_of_time(self) -> bool:
        """Whether the tests reached a time limit."""
        return self.ran.limit in {Limit.WALL, Limit.CPU}

    @property
    def died(self) -> bool:
        """Whether a test process died or reached the memory limit."""
        dead = any(ending is not None and ending.startswith("died") for ending in self.endings)
        return dead or self.ran.limit is Limit.MEMORY or self.ran.signal is not None

    def output(self) -> str:
        """Return the output of the tests without thread numbers."""
        return _THREAD.sub(r"\1", self.ran.stderr.decoded())


def joined(runs: Sequence[RustTestRun], missing: int) -> RustTestRun:
    """Join the runs of several crates; `missing` tests did not run."""
    endings = tuple(ending for run in runs for ending in run.endings)
    worst = next((run for run in runs if not run.all_held), runs[-1])
    return RustTestRun(endings=(*endings, *[None] * missing), ran=worst.ran)


class TestRunner:
    """Runs built tests in a sandbox."""

    __test__ = False  # not for pytest

    def __init__(self, sandbox: Sandbox, toolchain: Toolchain) -> None:
        self._sandbox = sandbox
        self._libraries = toolchain.libraries

    def run(self, library: bytes, runner: bytes, symbols: Sequence[str], limits: Limits) -> RustTestRun:
        """Run the tests with these symbols."""
        secret = secrets.token_hex(16)
        ran = self._sandbox.run(
            Command(
                argv=("./runner",),
                files={"runner": runner},
                executable=frozenset({"runner"}),
                read_only=frozenset({"runner"}),
                # Mounted at a neutral path: answers must not see where tools are installed.
                binds=(Bind(source=self._libraries, at=STANDARD_LIBRARY),),
                env={"LD_LIBRARY_PATH": STANDARD_LIBRARY, "RUST_BACKTRACE": "0"},
                stdin=f"{secret}\n{' '.join(symbols)}\n".encode() + library,
                channel=True,
                limits=limits,
            )
        )
        endings = reported_endings(ran.channel.decoded(), secret, len(symbols))
        if None in endings and ran.signal is None and ran.limit is None:
            # The runner executes no code of the answer, which can kill it but not make it exit early.
            raise SandboxError(f"the test runner failed: {ran.stderr.decoded()[:500]}")
        return RustTestRun(endings=endings, ran=ran)


def reported_endings(output: str, secret: str, count: int) -> tuple[str | None, ...]:
    r"""Return the endings of `count` tests from lines with the secret.

    >>> reported_endings("77 0 held\n78 1 held\n", "77", 2)
    ('held', None)
    """
    endings: list[str | None] = [None] * count
    for line in output.splitlines():
        mark, _, rest = line.partition(" ")
        number, _, ending = rest.partition(" ")
        if (
            secrets.compare_digest(mark.encode(), secret.encode())
            and number.isdecimal()
            and int(number) < count
        ):
            endings[int(number)] = ending
    return tuple(endings)
