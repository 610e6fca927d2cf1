"""Start a program like `python answer.py`, which can import files beside it."""

import site
import sys
from types import ModuleType, TracebackType


def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Show an error without the frames of this file."""
    while trace and trace.tb_frame.f_code.co_filename != NAME:
        trace = trace.tb_next
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


if __name__ == "__main__":
    NAME = sys.argv[1]
    sys.excepthook = show
    site.setquit()  # `exit` and `quit`, which are missing where Python starts without `site`
    sys.path.insert(0, __file__.rpartition("/")[0] or ".")
    del sys.argv[0]
    program = sys.modules["__main__"] = ModuleType("__main__")
    program.__file__ = NAME
    program.__dict__["__builtins__"] = __builtins__
    with open(NAME, "rb") as file:  # pathlib is slow to load
        source = file.read()
    sys.setrecursionlimit(sys.getrecursionlimit() + 2)  # for the frames of this file and `exec`
    exec(compile(source, NAME, "exec", dont_inherit=True), program.__dict__)  # the purpose of this file
