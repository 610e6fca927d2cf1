"""Be the process that holds the answer: load it, and do with it what the grader asks.

Nothing in here is worth stealing: no test, no expected value, no nonce has ever been in this process.
Whatever the answer does to it, all it can reach is the line to the grader, on which it is expected to lie.
"""

import builtins
import importlib
import io
import os
import sys
import types
from typing import Any, NoReturn

from steelyard.checks.python.grader_runtime.link import Link
from steelyard.checks.python.grader_runtime.privacy import set_readable
from steelyard.checks.python.grader_runtime.wire import Wire

KEPT = 1 << 20  # bytes of what the answer prints between two replies


class Printed(io.BytesIO):
    """Holds what is printed until it is told; forgets what is too much."""

    def write(self, data: Any, /) -> int:  # noqa: ANN401  # bytes or anything like them
        """Take what there is room for."""
        size = len(data)
        super().write(bytes(data)[: max(KEPT - self.tell(), 0)])
        return size

    def take(self) -> str:
        """Return what was printed since the last time."""
        if not self.tell():
            return ""
        text = self.getvalue().decode("utf-8", errors="replace")
        self.seek(0)
        self.truncate()
        return text


PRINTED = Printed()
STDOUT = io.TextIOWrapper(PRINTED, encoding="utf-8", errors="replace", write_through=True)


class AnswerProxy:
    """The answer as a module, once it is compiled and run."""

    def __init__(self) -> None:
        self._code: types.CodeType | None = None
        self._module = types.ModuleType("solution")

    def compile(self, source: str, name: str) -> str | None:
        """Compile the answer; return what is wrong with it, if anything."""
        self._module = types.ModuleType(name)
        try:
            self._code = compile(source, f"{name}.py", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            return f"{type(error).__name__}: {error}"
        return None

    def run(self) -> tuple[types.ModuleType, list[str]]:
        """Run the answer as the module it is; return it and the names that it defines."""
        sys.modules[self._module.__name__] = self._module
        exec(self._code or "", self._module.__dict__)  # noqa: S102  # that is what we are here for
        return self._module, [str(name) for name in vars(self._module)]


def be_answer(reading: int, writing: int) -> NoReturn:
    """Serve the grader until it is gone."""
    _settle(reading, writing)
    link = Link(Wire(reading, writing))
    answer, owner = AnswerProxy(), os.getpid()
    link.handlers.update(compile=answer.compile, run=answer.run)
    link.handlers["await"] = lambda number: _finished(link.exports.thing(number))
    link.printed = PRINTED.take
    sys.stdout = STDOUT
    builtins.input = lambda prompt="", /: link.request("input", str(prompt))
    link.alive = lambda: os.getpid() == owner
    link.serve()
    os._exit(0)


def _settle(reading: int, writing: int) -> None:
    """Keep the line to the grader and the two outputs, and close everything else that was inherited."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    keep = sorted({1, 2, reading, writing})
    for low, high in zip([0, *keep], [*keep, 1 << 16], strict=True):
        os.closerange(low + 1, high)
    set_readable(readable=True)
    sys.path.insert(0, os.getcwd())  # noqa: PTH109  # pathlib is slow to load
    sys.argv = ["solution.py"]


def _finished(coroutine: object) -> object:
    # Loaded when it is wanted: it takes longer than most checks.
    return importlib.import_module("asyncio").run(coroutine)
