"""Start commands that read and write runs, one after the other, and look at every exit code.

A library that aborts while the interpreter ends would turn a good answer into exit code 134, or a failed gate
into something else. Run: python perf/exit_codes.py --commands 200
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from random import Random

CASES, ATTEMPTS = 30, 5
GOOD, REGRESSED, WRONG, BROKEN, UNSURE = range(5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What to type, and how it should end."""

    words: tuple[str, ...]
    code: int


def prepare(folder: Path) -> None:
    """Write outcomes of a good and of a worse model, and keep them as runs; damage a copy of one."""
    for name, rate in (("good", 0.9), ("worse", 0.3)):
        chance = Random(name)
        lines = [
            f"m,case-{case},{attempt},{str(chance.random() < rate).lower()}"
            for case in range(CASES)
            for attempt in range(ATTEMPTS)
        ]
        text = "\n".join(["model,case,attempt,passed", *lines, ""])
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        for run in (name, f"{name}-damaged"):
            done = _typed(folder, ("import", f"{name}.csv", "--run", run))
            assert done.returncode == GOOD, done.stderr
    for path in (folder / "good-damaged" / "outcomes").glob("part-*"):
        path.write_bytes(path.read_bytes()[:100])


def commands() -> Iterator[Command]:
    """Give commands without end: writing, reading, comparing, gating, and every way to fail."""
    for number in cycle(range(10**6)):
        yield Command(words=("import", "good.csv", "--run", f"new-{number}"), code=GOOD)
        yield Command(words=("report", f"new-{number}", "--format", "json"), code=GOOD)
        yield Command(words=("export", f"new-{number}", "-o", f"rows-{number}.parquet"), code=GOOD)
        yield Command(words=("report", "good", "-o", "report.json"), code=GOOD)
        yield Command(
            words=("compare", "--baseline", "good", "--current", "worse", "--fail-on-regression"),
            code=REGRESSED,
        )
        yield Command(words=("gate", "--baseline", "good", "--current", "worse"), code=REGRESSED)
        yield Command(words=("gate", "--baseline", "good", "--current", f"new-{number}"), code=UNSURE)
        yield Command(words=("import", "good.csv", "--run", "good"), code=WRONG)
        yield Command(words=("report", "nowhere"), code=WRONG)
        yield Command(words=("report", "good-damaged"), code=BROKEN)
        yield Command(words=("export", "good-damaged", "-o", "damaged.csv"), code=BROKEN)
        yield Command(words=("compare", "--baseline", "good", "--current", "good-damaged"), code=BROKEN)


def surprises(folder: Path, count: int) -> tuple[Counter[int], list[str]]:
    """Start so many commands; return how often each code came, and what ended otherwise than expected."""
    seen: Counter[int] = Counter()
    wrong = []
    for command in islice(commands(), count):
        done = _typed(folder, command.words)
        seen[done.returncode] += 1
        if done.returncode != command.code:
            told = f"{' '.join(command.words)}: {done.returncode} instead of {command.code}"
            wrong.append(f"{told}: {done.stderr[-300:]}")
    return seen, wrong


def _typed(folder: Path, words: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "steelyard", *words]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)


def main() -> int:
    """Start the commands, print what came, and return 1 if anything surprised."""
    parser = argparse.ArgumentParser(description="Look at the exit codes of many commands.")
    parser.add_argument("--commands", type=int, default=200)
    given = parser.parse_args()
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        prepare(Path(scratch))
        seen, wrong = surprises(Path(scratch), given.commands)
    seconds = time.perf_counter() - started
    print(f"{given.commands} commands in {seconds:.0f} s; codes {dict(sorted(seen.items()))}")
    print("\n".join(wrong) if wrong else "every one ended as expected: met")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
