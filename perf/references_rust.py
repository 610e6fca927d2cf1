"""Check the reference solutions of public Rust benchmarks with the real checker, and show which do not pass.

    STEELYARD_BENCHMARKS=FOLDER python perf/references_rust.py [aider|humaneval-x] [--stubs|--mutants]
        [--only=NAMES]

The folder holds `aider-polyglot.tar.gz` and `humaneval-x/humaneval_rust.jsonl.gz`. Crates for references
come from a folder made by `cargo vendor`, if STEELYARD_CARGO_VENDOR names one. With `--stubs` or `--mutants`,
empty and broken solutions are checked instead: none of them should pass.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from perf.references import benchmarks_folder, cases_of, reference_code
from steelyard.checks.toolchains.rust import RustChecker
from steelyard.model.case import Case
from steelyard.model.outcome import Classification
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

THREADS = 2
_MUTATIONS = (("+ 1", "+ 2"), (" == ", " != "), (" + ", " - "), ("true", "false"), (" < ", " > "), ("0", "1"))


class Reference(NamedTuple):
    """A case, the solution that comes with it, and an answer that does nothing."""

    case: Case
    solution: str
    stub: str


def rust_references(name: str, folder: Path) -> Iterator[Reference]:
    """Return the tasks of a benchmark that are in Rust, those that need crates among them."""
    for case in cases_of(name, folder):
        if case.language == "rust":
            solution = reference_code(case)
            yield Reference(case, solution, re.sub(r"\{\n(?s:.*)\}", "{\n    todo!()\n}", solution))


def mutated(solution: str) -> str:
    """Return a solution with one small mistake."""
    for right, wrong in _MUTATIONS:
        if right in solution:
            return solution.replace(right, wrong)
    return "compile_error!();"


def main() -> int:
    """Check the references and print what they came to."""
    folder = benchmarks_folder()
    checker = RustChecker(BubblewrapSandbox())
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
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

    for name, full in (("aider", "aider-polyglot"), ("humaneval-x", "humaneval-x/rust")):
        if names and name not in names:
            continue
        with ThreadPoolExecutor(THREADS) as pool:
            references = (
                item
                for item in rust_references(full, folder)
                if not named or item.case.id in named.split(",")
            )
            ended = list(pool.map(checked, islice(references, limit)))
        print(name, dict(Counter(kind for _, kind, _ in ended)))
        for case, kind, detail in ended:
            if (kind == Classification.PASS.value) is is_broken:
                print(f"  {case}: {kind}: {detail[:240]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
