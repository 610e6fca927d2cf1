"""Run the commands that need no sandbox, as on macOS and Windows.

They work on the outcomes in `examples/gate`, in an empty folder. The first wrong exit code is an error.
"""

import contextlib
import io
import runpy
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "gate"
OK, FAILED = 0, 1


def commands() -> list[tuple[int, list[str]]]:
    """Return each command with the exit code that it must give."""
    before, after = str(EXAMPLES / "baseline.csv"), str(EXAMPLES / "clear-drop.csv")
    sides = ["--baseline", "baseline.json", "--current", "current.json"]
    return [
        (OK, ["--version"]),
        (OK, ["score", before, "-o", "baseline.json"]),
        (OK, ["score", after, "-o", "current.json"]),
        (OK, ["compare", *sides, "-o", "comparison.html"]),
        (FAILED, ["gate", *sides, "-o", "verdict.xml"]),
        (OK, ["plan", "--from", "baseline.json", "--drop", "0.1"]),
        (OK, ["import", before, "--run", "run"]),
        (OK, ["report", "run", "-o", "report.html"]),
    ]


def exit_code(words: list[str]) -> int | str:
    """Run one command of Steelyard in this process and return its exit code."""
    sys.argv = ["steelyard", *words]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_module("steelyard", run_name="__main__")
    except SystemExit as end:
        return end.code or OK
    return OK


def main() -> None:
    """Run all commands; stop at the first with a wrong exit code."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, contextlib.chdir(folder):
        for expected, words in commands():
            print("steelyard", *words, flush=True)
            given = exit_code(words)
            if given != expected:
                sys.exit(f"steelyard {words[0]}: exit code {given}, expected {expected}")
    print("the commands without a sandbox work here")


if __name__ == "__main__":
    main()
