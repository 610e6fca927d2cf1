"""Run many short commands of many kinds at full concurrency in one process, and look for anything that leaks.

Counts before and after: memory of this process, open descriptors, processes, mounts, control groups, files.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from steelyard.model.execution import MIB, Bind, Command, ExecResult, Limits
from steelyard.ports import Sandbox
from steelyard.sandbox.cgroups.groups import group_prefix
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

PYTHON = os.path.realpath(sys.executable)
FLAGS = ("-I", "-B")
BINDS = (Bind(source=os.path.realpath(sys.base_prefix)),)
PORTION = 500
SMALL = Limits(wall_s=60, memory_bytes=64 * MIB, processes=16)
SOURCES = {
    "good": (b"print('x' * 1000)", "exit 0"),
    "fails": (b"raise SystemExit(3)", "exit 3"),
    "crashes": (b"import os; os.abort()", "signal 6"),
    "leaves a daemon": (b"import os, time\nif not os.fork():\n    os.setsid()\n    time.sleep(99)", "exit 0"),
    "writes files": (b"for n in range(20): open(str(n), 'wb').write(bytes(10_000))", "exit 0"),
    "wants memory": (b"x = bytearray(200_000_000)", "memory"),
}


def commands(numbers: range) -> Iterator[tuple[Command, str]]:
    """Return commands of all kinds, with what must come of each; every tenth starts cold."""
    kinds = list(SOURCES.values())
    for number in numbers:
        source, expected = kinds[number % len(kinds)]
        warm = Command(
            argv=(PYTHON, *FLAGS, "main.py"),
            files={"main.py": source},
            binds=BINDS,
            limits=SMALL,
            keep=("1",),
        )
        cold = Command(argv=("/bin/sh", "-c", "echo cold; exit 3"), limits=SMALL)
        yield (cold, "exit 3") if number % 10 == 9 else (warm, expected)  # noqa: PLR2004


def word(result: ExecResult) -> str:
    """Return in a word or two how a command ended."""
    if result.limit:
        return result.limit.value
    return f"signal {result.signal}" if result.signal else f"exit {result.exit_code}"


def counts(process: int) -> dict[str, int]:
    """Count what could leak."""
    groups = Path("/sys/fs/cgroup").rglob(f"{group_prefix(process)}-*")
    return {
        "descriptors": sum(1 for _ in Path("/proc/self/fd").iterdir()),
        "processes on the machine, bwrap": sum(_is_bwrap(path) for path in Path("/proc").glob("[0-9]*/comm")),
        "mounts": len(Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()),
        "control groups": sum(1 for _ in groups),
        "files": sum(1 for _ in Path(tempfile.gettempdir()).glob(f"steelyard*{process}*")),
        "resident MB": _resident_mb(),
    }


def _is_bwrap(path: Path) -> bool:
    try:
        return path.read_text(encoding="utf-8").strip() == "bwrap"
    except OSError:
        return False


def _resident_mb() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() // MIB


def load(sandbox: Sandbox, *, count: int, workers: int) -> Counter[str]:
    """Run the commands and count how they ended; a wrong ending is named."""
    endings: Counter[str] = Counter()

    def one(pair: tuple[Command, str]) -> str:
        command, expected = pair
        seen = word(sandbox.run(command))
        return "as expected" if seen == expected else f"{expected} ended as {seen}"

    with ThreadPoolExecutor(workers) as pool:
        for start in range(0, count, PORTION):  # so that the commands waiting their turn are no leak of ours
            endings.update(pool.map(one, commands(range(start, min(start + PORTION, count)))))
    return endings


def main(words: Sequence[str] | None = None) -> int:
    """Print what was counted before and after; 1 when anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--workers", type=int, default=8)
    options = parser.parse_args(words)
    sandbox = WarmPythonSandbox(interpreter=PYTHON, flags=FLAGS, binds=BINDS)
    load(sandbox, count=10 * options.workers, workers=options.workers)  # pools are filled, modules are loaded
    before = counts(os.getpid())
    began = time.monotonic()
    endings = load(sandbox, count=options.count, workers=options.workers)
    seconds = time.monotonic() - began
    after = counts(os.getpid())
    speed = options.count / seconds
    print(f"{options.count} commands in {seconds:.0f} s, {speed:.0f} a second: {dict(endings)}")
    for name, value in before.items():
        print(f"{name:<34} {value:>6} before {after[name]:>6} after")
    sandbox.close()
    strict = [name for name in before if name not in {"resident MB", "processes on the machine, bwrap"}]
    leaks = [name for name in strict if after[name] > before[name]]
    grown = after["resident MB"] - before["resident MB"]
    print(f"leaks: {', '.join(leaks) or 'none'}; memory grew by {grown} MB")
    return int(bool(leaks) or set(endings) != {"as expected"})


if __name__ == "__main__":
    sys.exit(main())
