"""Plant one fault at a time in a copy of the tree and run the tests nearest to it.

The faults are listed in planted_mutants.toml. Only tests that `make check` runs are used.

Run: python -m perf.planted_mutants [--only TEXT] [--list FILE]; exit code 1 if too many faults survive.
"""

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copy2
from tempfile import TemporaryDirectory

REPOSITORY = Path(__file__).parents[1]
MUTANTS = Path(__file__).with_suffix(".toml")
SOURCE, TESTS = Path("src/steelyard"), Path("tests")
MOST_SURVIVORS = 2
FAILED = (1, 2)  # exit codes of pytest: a test failed; a module could not be imported
PASSED = (0, 5)  # all passed; no tests were collected
KILLED, SURVIVED, BROKEN = "killed", "survived", "broken"
PYTEST = ("-q", "-x", "-p", "no:xdist", "--no-header", "--tb=no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A text of one file, its faulty replacement, and tests outside the mirror folder."""

    file: Path
    old: str
    new: str
    tests: tuple[Path, ...] = ()

    def planted(self, source: str) -> str:
        """Return the source with the fault."""
        if source.count(self.old) != 1:
            raise SystemExit(f"{self.file}: found {source.count(self.old)} times, expected once: {self.old}")
        return source.replace(self.old, self.new)

    def selections(self, tree: Path) -> Iterator[list[Path]]:
        """Yield the tests to run: first those of the module, then all of its mirror folder."""
        folder = TESTS / self.file.parent.relative_to(SOURCE)
        while not (tree / folder).exists():
            folder = folder.parent
        own = [folder / f"test_{self.file.stem}.py", self.file, *self.tests]
        yield [path for path in own if (tree / path).exists() and path.suffix in {".py", ""}]
        if folder != TESTS:
            yield [folder]


def listed(path: Path = MUTANTS) -> list[Mutant]:
    """Return the mutants of a list."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    return [
        Mutant(
            file=Path(row["file"]),
            old=row["old"],
            new=row["new"],
            tests=tuple(map(Path, row.get("tests", ()))),
        )
        for row in rows
    ]


def copy_tree(source: Path, target: Path) -> None:
    """Copy all files that git tracks or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=source, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (source / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            copy2(source / name, target / name)


def outcome(mutant: Mutant, tree: Path) -> tuple[str, str]:
    """Return whether a mutant was killed, and by which test; a test that fails without it kills nothing."""
    path = tree / mutant.file
    source = path.read_text(encoding="utf-8")
    faulty = mutant.planted(source)
    for tests in mutant.selections(tree):
        path.write_text(faulty, encoding="utf-8")
        try:
            code = pytest_code(tree, tests) if tests else 0
        finally:
            path.write_text(source, encoding="utf-8")
        if code in FAILED:
            test = failed_test(tree)
            return (KILLED if pytest_code(tree, [test]) in PASSED else BROKEN), test
    return SURVIVED, mutant.new


def pytest_code(tree: Path, words: Sequence[Path | str]) -> int:
    """Run tests on the code of a tree and return pytest's exit code."""
    command = [sys.executable, "-m", "pytest", *PYTEST, *map(str, words)]
    # Bytecode of a file that changed twice in a second, at the same size, would run in place of its source.
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if ended.returncode not in {*FAILED, *PASSED}:
        raise SystemExit(f"pytest ended with exit code {ended.returncode}:\n{ended.stdout}{ended.stderr}")
    return ended.returncode


def failed_test(tree: Path) -> str:
    """Return the name of the test that failed last."""
    found = json.loads((tree / ".pytest_cache/v/cache/lastfailed").read_text(encoding="utf-8"))
    return str(next(iter(found)))


def main(words: Sequence[str] | None = None) -> int:
    """Plant the mutants, print a table, and return 1 if too many survive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="mutants of files whose path contains this text")
    parser.add_argument("--list", type=Path, default=MUTANTS, help="another list of mutants")
    parser.add_argument("--tree", type=Path, default=REPOSITORY, help="another repository")
    arguments = parser.parse_args(words)
    mutants = [one for one in listed(arguments.list) if arguments.only in str(one.file)]
    killed = 0
    with TemporaryDirectory() as folder:
        tree = Path(folder)
        copy_tree(arguments.tree, tree)
        for mutant in mutants:
            found, detail = outcome(mutant, tree)
            killed += found == KILLED
            print(f"{found:8} {mutant.file} {detail}", flush=True)
    print(f"{len(mutants)} mutants, {killed} killed")
    return 1 if len(mutants) - killed > MOST_SURVIVORS else 0


if __name__ == "__main__":
    raise SystemExit(main())
