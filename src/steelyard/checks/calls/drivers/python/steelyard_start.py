"""Start a program as `python answer.py` would: what lies beside it can be imported."""

import runpy
import sys
from types import TracebackType

NAME = sys.argv[1]


def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Show what went wrong as if nothing stood around the program."""
    while trace and trace.tb_frame.f_code.co_filename != NAME:
        trace = trace.tb_next
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


sys.excepthook = show
sys.path.insert(0, __file__.rpartition("/")[0] or ".")
del sys.argv[0]
runpy.run_path(NAME, run_name="__main__")
