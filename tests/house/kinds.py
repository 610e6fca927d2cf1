"""Mark tests by what they need and by whether they are slow, from their names: one table for all folders.

`pytest -m "not ray"` leaves out what the marker `ray` stands for; tests/README.md lists the markers. Slow
tests come first in a distributed run, so that no worker is left with one at the end.

Of a large family, one test with many parameters, only every nth runs unless `--exhaustive` is given.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

RUST = (
    r"^tests/checks/(rust/|(calls|io)/.*\brust\b)|(test_conformance|test_shipped\w*)\.py.*rust|checks?.rust"
)
DRIVEN = r"^tests/checks/(calls/test_(drivers|attacks|idioms)|io/test_(checker|attacks|idioms))"
TERRAFORM = (
    r"^tests/checks/terraform/|(test_conformance|test_shipped\w*)\.py.*terraform|checks?.terraform"
    r"|test_iac_eval"
)
TOOLS = r"test_ways_out"  # answers in every language
PAGES = r"^tests/docs/test_console_blocks"
# Whole commands, pages, stores and runs; the formulas, which `make core` tests; and files that simulate,
# wait, have thousands of tests, or read the whole house.
LONG = (
    r"^tests/(app|ci|cli|corpus|edges|examples|metrics|seeds|store/run|vendors|web)/"
    r"|^tests/analysis/test_(compare|drift|gate|plan|policy)|^tests/conformance/test_renderers"
    r"|^tests/checks/(test_(memory|time_by_length)|text/test_(checker|forms)|extraction/test_extract)"
    r"|^tests/house/test_(class_names|docstrings|elsewhere|imports|laziness|repository_files|sizes|words)"
    r"|^tests/providers/(llm/|test_(limiter|pace))|^tests/sources/benchmark_data/test_hub"
    r"|^tests/runner/(judge/|check/test_environments|test_(forecast|session|stop_rule_scheduler))"
    r"|^tests/store/test_(duplicates|outcomes)"
)

# Marker → what the full name of such a test holds.
KINDS: Mapping[str, str] = {
    "browser": r"^tests/browser/",
    "java": r"^tests/checks/(command|calls|io)/.*\bjava\b",
    "pages": PAGES,
    "ray": r"/ray/|run-on-ray|on_ray|by_ray",
    "long": LONG,
    "rust": RUST,
    "s3": r"/bucket/",
    "sandbox": r"^tests/(sandbox|checks/python|checks/command|providers/command)/"
    rf"|{DRIVEN}|{RUST}|{TERRAFORM}|{PAGES}|{TOOLS}"
    r"|tests/checks/test_conformance|test_shipped|^tests/(runs|trials)/|tests/evalsets/|test_scripts"
    r"|^tests/(app/benchmarks/test_verify|cli/test_benchmarks|benchmarks/test_live)|test_expected"
    r"|runner/test_feedback|test_slurm",
    "slurm": r"test_slurm",
    "terraform": TERRAFORM,
    "toolchain": rf"^tests/checks/command/|{DRIVEN}|{RUST}|{TERRAFORM}|{PAGES}|{TOOLS}"
    r"|test_conformance\.py.*command|^tests/benchmarks/test_shipped",
    "slow": rf"{DRIVEN}|{TOOLS}|"
    r"^tests/(browser|simulations|benchmarks)/|/ray/|test_killed|test_dead_workers|test_load"
    rf"|test_crowd|test_exit_codes_of_stores|test_full_disk|test_power_failure|{PAGES}"
    r"|judge/test_injection|^tests/(runs|trials)/|^tests/ci/test_action|test_gate_confirm|test_regrade|test_run_signals"
    r"|test_run_missing_tools|test_broken_inputs|test_made_by_tools|test_mlflow_sink|test_slurm",
}

# Families whose members each start compilers or sandboxes → one of how many runs in `make check`. They stand
# sorted by language, so that a part still holds each language.
THINNED: Mapping[str, int] = {
    r"^tests/checks/command/test_answers.py::test_the_facts": 4,
    r"^tests/checks/calls/test_drivers.py::test_a_(right_answer|slip)": 4,
    r"^tests/checks/(calls|io)/test_attacks.py::test_an_attack": 4,
    r"^tests/checks/(rust|terraform)/test_attacks.py::test_a_trick": 4,
    r"^tests/checks/python/test_corpora.py::test_no_cheat": 3,
    r"^tests/sandbox/conformance/test_clean_up.py::test_nothing_is_left_of": 5,
    r"^tests/runner/check/test_ways_out.py::test_a_wrong_answer": 3,
    r"^tests/simulations/test_gates.py::test_from_single_samples": 2,
}


NOT_QUICK = ("browser", "long", "pages", "ray", "s3", "sandbox", "slow", "toolchain")


def kinds_of(nodeid: str) -> list[str]:
    """Return the markers of a test, slow or not."""
    return [kind for kind, pattern in KINDS.items() if re.search(pattern, nodeid)]


def is_quick(name: str) -> bool:
    """Whether a test, a file or a folder takes no time and needs no tool, as far as its name tells."""
    return not set(kinds_of(name)).intersection(NOT_QUICK)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a nightly run ask for whole families, and attacks be tried in another sandbox."""
    parser.addoption("--sandbox", default="bubblewrap", help="where answers break their checks: oci, gvisor")
    parser.addoption("--quick", action="store_true", help="only tests that take no time and need no tool")
    parser.addoption("--exhaustive", action="store_true", help="all members of the large families of tests")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files without a quick test unread: to import them all takes longer than the quick tests do."""
    if not config.getoption("--quick") or not collection_path.is_relative_to(config.rootpath):
        return None
    inside = collection_path.relative_to(config.rootpath).as_posix()
    name = f"{inside}/" if collection_path.is_dir() else inside
    return None if is_quick(name) else True


def thinned(nodeids: Sequence[str]) -> set[str]:
    """Return the members of large families that an ordinary run leaves out."""
    families: dict[str, list[str]] = {}
    for nodeid in nodeids:
        families.setdefault(nodeid.partition("[")[0], []).append(nodeid)
    return {
        nodeid
        for family, members in families.items()
        for pattern, step in THINNED.items()
        if re.search(pattern, family)
        for number, nodeid in enumerate(members)
        if number % step
    }


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark every test, leave out what only an exhaustive run has, and put the slow ones first."""
    if not config.getoption("--exhaustive"):
        out = thinned([item.nodeid for item in items])
        if config.getoption("--quick"):
            out |= {item.nodeid for item in items if not is_quick(item.nodeid)}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in out])
        items[:] = [item for item in items if item.nodeid not in out]
    for item in items:
        for kind in kinds_of(item.nodeid):
            item.add_marker(kind)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
