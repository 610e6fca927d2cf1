"""Weigh every checker against the bare tools it runs: python benchmarks/checks.py [terraform rust python].

A thin main over checks_<language>.py, each of which runs alone too. What counts are ratios of medians, with
both sides in turns, so that a noisy machine hits both alike. Ends with 1 if a goal is missed.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """Run the measurements of the languages named, or of all there are."""
    there = sorted(path.stem.removeprefix("checks_") for path in HERE.glob("checks_*.py"))
    wanted = sys.argv[1:] or there
    unknown = sorted(set(wanted) - set(there))
    if unknown:
        print(f"there are no measurements of {', '.join(unknown)}; there are {', '.join(there)}")
        return 2
    codes = []
    for language in wanted:
        print(f"== {language}", flush=True)
        command = [sys.executable, "-m", f"{HERE.name}.checks_{language}"]
        codes.append(subprocess.run(command, cwd=HERE.parent, check=False).returncode)
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
