"""Measure what a sandbox costs: its start against bare bubblewrap, and warm Python against cold Python.

Both sides of a ratio take turns in the same run, so that a busy machine is equally busy for both.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

from steelyard.model.execution import Bind, Command
from steelyard.sandbox.bubblewrap.arguments import NAMESPACES, fixed_options
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.layout import SANDBOX
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

GOAL = 1.3
PYTHON = os.path.realpath(sys.executable)
FLAGS = ("-I", "-B")
BINDS = (Bind(source=os.path.realpath(sys.base_prefix)),)
TRUE = Command(argv=("/bin/true",))
SCRIPT = Command(argv=(PYTHON, *FLAGS, "main.py"), files={"main.py": b"pass"}, binds=BINDS)


def bare() -> None:
    """Start bubblewrap with the same namespaces, system folders and workspace, and nothing else."""
    words = [*fixed_options(), "--die-with-parent", "--uid", "1000", "--size", str(2**29), "--tmpfs", SANDBOX]
    subprocess.run(
        ["bwrap", *words, "--chdir", SANDBOX, "/bin/true"], check=True, capture_output=True, env={}
    )


def medians_ms(sides: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median time of each side, all taking turns."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            began = time.perf_counter()
            side()
            times[name].append((time.perf_counter() - began) * 1000)
    return {name: statistics.median(values) for name, values in times.items()}


def rate(run: Callable[[], object], *, workers: int, count: int) -> float:
    """Return how many commands a second some threads get done."""
    began = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        for future in [pool.submit(run) for _ in range(count)]:
            future.result()
    return count / (time.perf_counter() - began)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--count", type=int, default=600)
    options = parser.parse_args()
    cold, limited = BubblewrapSandbox(), BubblewrapSandbox(groups=False)
    warm = WarmPythonSandbox(interpreter=PYTHON, flags=FLAGS, binds=BINDS)
    sides: dict[str, Callable[[], object]] = {
        "bare bwrap, true": bare,
        "sandbox, true": lambda: cold.run(TRUE),
        "sandbox without control groups, true": lambda: limited.run(TRUE),
        "sandbox, cold Python": lambda: cold.run(SCRIPT),
        "sandbox, warm Python": lambda: warm.run(SCRIPT),
    }
    found = medians_ms(sides, options.rounds)
    print(
        f"namespaces: {', '.join(NAMESPACES)}, mount; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    for name, value in found.items():
        print(f"{name:<40} {value:7.1f} ms")
    ratio = found["sandbox, true"] / found["bare bwrap, true"]
    print(f"start: {ratio:.2f} x bare bwrap, goal {GOAL}: {'met' if ratio <= GOAL else 'missed'}")
    for workers in (1, 2, 4, 8):
        speed = rate(lambda: warm.run(SCRIPT), workers=workers, count=options.count)
        print(f"warm Python, {workers} at a time: {speed:.0f} commands a second")


if __name__ == "__main__":
    main()
