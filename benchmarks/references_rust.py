"""Check the reference solutions of public Rust benchmarks with the real checker, and show which do not pass.

    STEELYARD_BENCHMARKS=FOLDER python benchmarks/references_rust.py [aider|humaneval-x] [--stubs|--mutants]
        [--only=NAMES]

The folder holds `aider-polyglot.tar.gz` and `humaneval-x/humaneval_rust.jsonl.gz`. Crates for references
come from a folder made by `cargo vendor`, if STEELYARD_VENDOR names one. With `--stubs` or `--mutants`, empty
and broken solutions are checked instead: none of them should pass.
"""

import gzip
import json
import os
import re
import sys
import tarfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from benchmarks.references import benchmarks_folder
from steelyard.checks.rust import RustChecker
from steelyard.model.case import Case, Dependency, Expectations
from steelyard.model.outcome import Classification
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

THREADS = 2
TIMEOUT_S = 180.0  # as Aider gives
_LIMITS_S = {"alphametics": 1800.0}  # its solution tries ten digits in every order
_OTHER_RELEASES = {("regex", "0.2"): "1.5"}  # which builds on today's Rust, and serves the solution as well
_EXERCISE = re.compile(r".*/rust/exercises/practice/([^/]+)/(.+)")
_IMPORT = r"(?m)^(?:use|extern crate) NAME\b[^;]*;\n"
_MARKS = {"rand": "rand::", "regex": "Regex", "md5": "md5::"}  # how a solution, or its tests, use each crate
_VERSIONS = {"rand": "0.4", "regex": "1.5", "md5": "0.7"}  # what the benchmark asks for
_MUTATIONS = (("+ 1", "+ 2"), (" == ", " != "), (" + ", " - "), ("true", "false"), (" < ", " > "), ("0", "1"))


class Reference(NamedTuple):
    """A case, the solution that comes with it, and what a person starts from."""

    case: Case
    solution: str
    stub: str


def aider(folder: Path) -> Iterator[Reference]:
    """Return the Rust exercises of Aider's polyglot benchmark."""
    exercises: dict[str, dict[str, str]] = {}
    with tarfile.open(folder / "aider-polyglot.tar.gz") as archive:
        for member in archive:
            found = _EXERCISE.fullmatch(member.name)
            content = archive.extractfile(member) if found and member.isfile() else None
            if found and content:
                exercises.setdefault(found[1], {})[found[2]] = content.read().decode("utf-8", "replace")
    for name, files in sorted(exercises.items()):
        yield _exercise(name, files)


def _exercise(name: str, files: dict[str, str]) -> Reference:
    manifests = [tomllib.loads(files.get(path, "")) for path in ("Cargo.toml", ".meta/Cargo-example.toml")]
    # Cargo runs each file directly in `tests` as a crate of its own.
    tests = {path: text for path, text in files.items() if re.fullmatch(r"tests/[^/]+\.rs", path)}
    helpers = {path: text for path, text in files.items() if re.fullmatch(r"src/(?!lib\.rs).+\.rs", path)}
    case = Case(
        id=name,
        language="rust",
        timeout_s=_LIMITS_S.get(name, TIMEOUT_S),
        files=helpers,
        dependencies=tuple(_dependencies(manifests)),
        expectations=Expectations(
            tests="\n".join(f"// file: {path}\n{text}" for path, text in sorted(tests.items())),
            settings={"crate": manifests[0]["package"]["name"].replace("-", "_"), "ignored": "run"},
        ),
    )
    return Reference(case, files[".meta/example.rs"], files["src/lib.rs"])


def _dependencies(manifests: list[dict[str, dict[str, str]]]) -> Iterator[Dependency]:
    asked = {name: version for each in manifests for name, version in each.get("dependencies", {}).items()}
    for name, version in asked.items():
        yield Dependency(name=name, version=_OTHER_RELEASES.get((name, version), version))


def humaneval_x(folder: Path) -> Iterator[Reference]:
    """Return HumanEval-X; every prompt imports three crates, and hardly a solution uses one of them."""
    with gzip.open(folder / "humaneval-x" / "humaneval_rust.jsonl.gz", "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            solution, tests = record["canonical_solution"], record["test"]
            used = {name for name, mark in _MARKS.items() if mark in solution + tests}
            head = record["declaration"]
            for name in _MARKS.keys() - used:
                head = re.sub(_IMPORT.replace("NAME", name), "", head)
            case = Case(
                id=record["task_id"],
                language="rust",
                timeout_s=TIMEOUT_S,
                dependencies=tuple(Dependency(name=name, version=_VERSIONS[name]) for name in sorted(used)),
                expectations=Expectations(tests=tests),
            )
            yield Reference(case, head + solution, head + "    todo!()\n}\n")


def mutated(solution: str) -> str:
    """Return a solution with one small mistake."""
    for right, wrong in _MUTATIONS:
        if right in solution:
            return solution.replace(right, wrong)
    return "compile_error!();"


def main() -> int:
    """Check the references and print what they came to."""
    folder = benchmarks_folder()
    vendor = os.environ.get("STEELYARD_VENDOR")
    checker = RustChecker(BubblewrapSandbox(), vendor=Path(vendor) if vendor else None)
    wanted = [word for word in sys.argv[1:] if not word.startswith("--")]
    limit = next(
        (int(word.removeprefix("--limit=")) for word in sys.argv if word.startswith("--limit=")), None
    )
    named = next((word.removeprefix("--only=") for word in sys.argv if word.startswith("--only=")), "")
    is_broken = "--stubs" in sys.argv or "--mutants" in sys.argv

    def checked(reference: Reference) -> tuple[str, str, str]:
        made = {"--stubs": reference.stub, "--mutants": mutated(reference.solution)}
        text = next((made[word] for word in sys.argv[1:] if word in made), reference.solution)
        outcome = checker.check(reference.case, f"```rust\n{text}\n```")
        kind = outcome.facts.classification or Classification.ERROR
        return reference.case.id, kind.value, " ".join((outcome.detail or "").split())

    for name, load in (("aider", aider), ("humaneval-x", humaneval_x)):
        if wanted and name not in wanted:
            continue
        with ThreadPoolExecutor(THREADS) as pool:
            found = (one for one in load(folder) if not named or one.case.id in named.split(","))
            ended = list(pool.map(checked, islice(found, limit)))
        print(name, dict(Counter(kind for _, kind, _ in ended)))
        for case, kind, detail in ended:
            if (kind == Classification.PASS.value) is is_broken:
                print(f"  {case}: {kind}: {detail[:240]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
