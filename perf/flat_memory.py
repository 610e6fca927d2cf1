"""Check many recorded answers in one run: memory must stay flat, and nothing may be left behind.

Each answer is another text, so that none is a repeat. Memory is compared between the first fifth and the end.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import steelyard
from steelyard.model.progress import RunProgress
from steelyard.sandbox.cgroups.groups import group_prefix

CASES = 100
MODEL = "record/one"
LARGEST_GROWTH = 0.1
TEXT = 'default_language = "text"', "[cases.expectations.settings]\ncontains = 'yes'"
PYTHON = 'default_language = "python"', "[cases.expectations]\ntests = 'assert f(2) == 4'"


def write_inputs(folder: Path, *, count: int, python: bool) -> tuple[Path, Path]:
    """Write an eval set and one answer for each sample."""
    language, expectations = PYTHON if python else TEXT
    lines = [f'[eval_set]\nid = "flat"\n{language}\n']
    lines += [f'[[cases]]\nid = "c{number}"\nprompt = "x"\n{expectations}\n' for number in range(CASES)]
    eval_set, answers = folder / "set.toml", folder / "answers.jsonl"
    eval_set.write_text("".join(lines), encoding="utf-8")
    with answers.open("w", encoding="utf-8") as file:
        for number in range(count):
            text = f"```python\ndef f(x):\n    return x * x  # {number}\n```" if python else f"yes {number}"
            row = {"case": f"c{number % CASES}", "model": MODEL, "text": text + " " * 500}
            file.write(json.dumps(row) + "\n")
    return eval_set, answers


def resident_mb() -> float:
    """Return the memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def check_all(folder: Path, *, count: int, python: bool) -> bool:
    """Run in this process; whether all was checked and memory stayed flat from the first fifth on."""
    memory: list[tuple[int, float]] = []

    def note(progress: RunProgress) -> None:
        checked = progress.total.checked
        if not memory or checked >= memory[-1][0] + count // 20 or checked == count:
            memory.append((checked, resident_mb()))
            print(f"{checked:>7} checked  {memory[-1][1]:>7.1f} MB", flush=True)

    eval_set, answers = write_inputs(folder, count=count, python=python)
    began = time.monotonic()
    ended = steelyard.run(
        str(eval_set),
        address=folder / "run",
        models=[MODEL],
        replay=str(answers),
        samples=count // CASES,
        allow_unpriced=True,
        progress=note,
    )
    checked = ended.result.progress.total.checked
    early = next(size for done, size in memory if done >= count // 5)
    last = memory[-1][1]
    growth = last / early - 1
    print(
        f"{checked} checked in {time.monotonic() - began:.0f} s; {early:.0f} to {last:.0f} MB: {growth:+.1%}"
    )
    return checked == count and growth <= LARGEST_GROWTH


def remnants(process: int, folder: Path) -> list[str]:
    """Return what a process that has ended left behind."""
    groups = Path("/sys/fs/cgroup").glob(f"**/{group_prefix(process)}-*")
    mounts = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
    return [*map(str, folder.iterdir()), *map(str, groups), *(line for line in mounts if str(folder) in line)]


def main(words: Sequence[str] | None = None) -> int:
    """Print memory by answers checked; 1 if it grows by more than a tenth or something is left behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--python", action="store_true", help="check functions in the sandbox, not texts")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    if options.inside:
        return int(not check_all(options.inside, count=options.count, python=options.python))
    with tempfile.TemporaryDirectory() as inputs, tempfile.TemporaryDirectory() as temporary:
        again = [sys.executable, __file__, *(sys.argv[1:] if words is None else words), "--inside", inputs]
        run = subprocess.Popen(again, env={**os.environ, "TMPDIR": temporary})
        failed = run.wait()
        left = remnants(run.pid, Path(temporary))
    print(f"left behind: {', '.join(left) or 'nothing'}")
    return int(failed != 0 or bool(left))


if __name__ == "__main__":
    sys.exit(main())
