"""Break the code behind verdicts and intervals in one place at a time, and see whether its tests notice.

Each mutant runs in a fork that has the libraries loaded and imports the broken module in the place of the
right one. What survives is printed as a difference: a test is missing, or the change changes nothing.
"""

import argparse
import ast
import difflib
import os
import random
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

import hypothesis  # noqa: F401  # loaded here once, and not in every fork
import numpy as np  # noqa: F401
import pytest
import scipy.stats  # noqa: F401
import statsmodels.api  # noqa: F401
from typing_extensions import override

from benchmarks.mutations import mutant, places

REPOSITORY = Path(__file__).parents[1]
SOURCE = REPOSITORY / "src" / "steelyard"
MODULES = {
    "analysis": "also_at_k carrying case_means compare curves detection drift figures fixed_samples "
    "frontier gate grading history judges matrix one_subject pairing plan policy rounds "
    "shared_cases tiers trust uncertainty warnings",
    "metrics": "agreement appraisal best_of betting bootstrap cases change_points cmh comparison "
    "confirming consensus cost detection differences drop_test effects exact flakiness frontier "
    "gates grades intervals judge_agreement judging latency letters looking matrix means "
    "multiplicity pair_tests paired_runs pass_at_k plausible power quantiles ranking ratios "
    "regression requirements rises rules score_tail scoring sequential shares special stopping "
    "suites summaries tiers ties",
}
ALSO = {
    "analysis/figures": ["analysis/test_stopped_report.py"],
    "analysis/tiers": ["analysis/test_runs.py", "analysis/test_stopped_report.py"],
    "metrics/pass_at_k": ["metrics/test_pass_at_k_means.py"],
    "metrics/scoring": ["metrics/test_scoring_build_test_lint.py"],
}
CHANGED = (
    ast.Compare | ast.BinOp | ast.AugAssign | ast.BoolOp | ast.UnaryOp | ast.Constant | ast.If | ast.IfExp
)
CPU_S = 60  # what a mutant may take beside the time that the tests take without one
WORDS = (
    *("-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "timeout=0"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # of plugins that are loaded already
    *("--rootdir", str(REPOSITORY)),
)
KILLED, SURVIVED = "killed", "survived"


class Target(NamedTuple):
    """A module and its tests."""

    name: str  # such as metrics/gates

    @property
    def file(self) -> Path:
        """Where it is."""
        return SOURCE / f"{self.name}.py"

    @property
    def tests(self) -> list[Path]:
        """What should notice a mistake in it: its test module, and the examples of its docstrings."""
        folder, _, module = self.name.rpartition("/")
        names = [f"{folder}/test_{module}.py", *ALSO.get(self.name, [])]
        return [*(REPOSITORY / "tests" / name for name in names), self.file]

    @property
    def imported_as(self) -> str:
        """The name by which it is imported."""
        return f"steelyard.{self.name.replace('/', '.')}"


class _Instead(MetaPathFinder, Loader):
    """Import one module from other code."""

    def __init__(self, name: str, code: CodeType) -> None:
        self._name, self._code = name, code

    @override
    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Return this loader for the one module."""
        if fullname != self._name:
            return None
        return spec_from_loader(fullname, self, origin=self._code.co_filename)

    @override
    def exec_module(self, module: ModuleType) -> None:
        """Run the other code."""
        module.__file__ = self._code.co_filename
        exec(self._code, module.__dict__)  # noqa: S102  # our own code, with one change


def chosen(source: str, count: int | None, *, seed: str) -> list[tuple[int, int]]:
    """Return where to break a module; so many places of all, the same ones every time."""
    kept = _kept(ast.parse(source))
    found = [at for at in places(source) if at[0] in kept]
    if count is None or count >= len(found):
        return found
    return sorted(random.Random(seed).sample(found, count))


def _kept(tree: ast.Module) -> set[int]:
    """Return the nodes to change: decisions and numbers, not words, types or messages of errors."""
    left_out: set[int] = set()
    for node in ast.walk(tree):
        aside = [node] if isinstance(node, ast.Raise | ast.JoinedStr) else []
        parts = ("annotation", "returns", "decorator_list", "type_params")
        held = [part for name in parts for part in _listed(getattr(node, name, None))]
        left_out.update(id(inner) for outer in (*aside, *held) for inner in ast.walk(outer))
    return {
        place
        for place, node in enumerate(ast.walk(tree))
        if isinstance(node, CHANGED) and id(node) not in left_out and not _is_text(node)
    }


def _listed(found: object) -> Sequence[ast.AST]:
    return found if isinstance(found, list) else [found] if isinstance(found, ast.AST) else []


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and not isinstance(node.value, bool | int | float)


def outcome(target: Target, source: str, cpu_s: float) -> str:
    """Return whether the tests of a module notice that it has this source."""
    child = os.fork()
    if not child:
        os._exit(_tested(target, source, cpu_s))
    _, status = os.waitpid(child, 0)
    return SURVIVED if os.waitstatus_to_exitcode(status) == 0 else KILLED


def _tested(target: Target, source: str, cpu_s: float) -> int:
    """Run the tests; a mutant that goes on and on is ended by the system, and counts as noticed."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s), int(cpu_s) + 1))
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    try:
        code = compile(source, str(target.file), "exec", dont_inherit=True)
        sys.meta_path.insert(0, _Instead(target.imported_as, code))
        import_module(target.imported_as)  # at once: pytest finds modules of its own accord
        return int(pytest.main([*WORDS, *map(str, target.tests)]))
    except BaseException:  # noqa: BLE001  # whatever a broken module does, a test would see it
        return 1


def difference(before: str, after: str) -> str:
    """Return the changed lines of a module."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return "\n".join(line for line in lines if line[:1] in "+-" and line[:3] not in {"+++", "---"})


def survivors(target: Target, count: int | None) -> Iterator[tuple[str, str]]:
    """Give the place and the difference of each mutant; the difference is empty where it was killed."""
    source = target.file.read_text(encoding="utf-8")
    plain = ast.unparse(ast.parse(source))
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if outcome(target, source, cpu_s=3600) != SURVIVED:
        raise SystemExit(f"{target.name}: its tests fail as it is")
    cpu_s = CPU_S + 5 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start)
    for place in chosen(source, count, seed=target.name):
        made = mutant(source, *place)
        is_killed = outcome(target, made.source, cpu_s) == KILLED
        yield made.change, "" if is_killed else difference(plain, made.source)


def main() -> None:
    """Break the modules named, or all that decide something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="such as metrics/gates; by default all")
    parser.add_argument("--count", type=int, help="how many mutants of each; by default all")
    arguments = parser.parse_args()
    names = arguments.modules or [
        f"{part}/{name}" for part, listed in MODULES.items() for name in listed.split()
    ]
    made = left = 0
    for name in names:
        found = list(survivors(Target(name), arguments.count))
        alive = [(change, text) for change, text in found if text]
        print(f"{name}: {len(found)} mutants, {len(found) - len(alive)} killed", flush=True)
        for change, text in alive:
            print(f"  survived: {change}\n    " + text.replace("\n", "\n    "), flush=True)
        made, left = made + len(found), left + len(alive)
    print(f"all: {made} mutants, {made - left} killed, {left} survived")


if __name__ == "__main__":
    main()
