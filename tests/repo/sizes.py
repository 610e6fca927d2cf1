"""Select the tests of `make quick` and `make check`; `make check-all` runs every test.

`pytest --size quick` and `pytest --size check` leave out of the given paths what that size does not run.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from tests.repo.kinds import NOT_QUICK, kinds_of

LANGUAGE = r"\b(c|cmake|cpp|go|java|javascript|python|rust|terraform|typescript)\b"
SINGLE = ""  # the first member of the family

# A family is one test with many parameters, each of which starts a compiler or a sandbox. `make check` runs
# its first member of each variety: of each text that the pattern on the right finds in the parameters.
FAMILIES: Mapping[str, str] = {
    r"^tests/checks/forms/tests/test_answers": LANGUAGE,
    r"^tests/checks/forms/(calls|io)/test_(attacks|drivers|idioms)": LANGUAGE,
    r"^tests/checks/toolchains/(rust|terraform)/test_(attacks|cures|truth)": SINGLE,
    r"^tests/checks/test_several_files": SINGLE,
    r"^tests/checks/toolchains/python/test_(checker|corpora|references)": r"\[(cold|warm|[a-z+]+-)",
    r"^tests/checks/toolchains/python/(test_environment|sealing/test_reports.*hostile)": SINGLE,
    r"^tests/app/test_run_address|^tests/cli/test_run_missing_tools": SINGLE,
    r"^tests/sandbox/test_other_users": r"\[(\d+)?",
    r"^tests/runner/check/test_ways_out": r"\[[^,]*",
    r"^tests/sandbox/conformance/test_clean_up": r"\[(bubblewrap|oci|gvisor|warm)[^-]*",
}

# Left to `make check-all`, as is what has the marker `check_all`.
CHECK_ALL = (
    r"^tests/simulations/test_(?!figures)",
    r"^tests/benchmarks/test_(everything|scripts\.py::.*runs_to_its_end)",
    r"^tests/benchmarks/test_shipped\.py::.*(\[.*/(?![Pp]ython)|multipl_e)",  # languages have answers of ours
    r"^tests/checks/toolchains/python/test_natural\.py::.*\[.*-(2[5-9]|[3-9]\d|1\d\d)\]",  # sets 2 and 3
    r"^tests/e2e/test_shipped_sets\.py::.*\[(?!python)",
    r"^tests/checks/test_conformance\.py::.*(leaves_nothing_open|many_threads).*\[(?!python)",
    r"^tests/checks/forms/(tests/test_(careless|cures)|calls/test_(types|drivers\.py::test_(a_slip|what_)))",
    r"^tests/checks/test_time_by_length|^tests/trials/",
    # The pages of the reading path are run for each change, the others each night.
    r"^tests/docs/test_console_blocks\.py::.*\[docs/(reference|how-to/(?!check-python|gate-a-change|evaluate-an-agent))",
    r"^tests/browser/test_viewer_benchmarks|::test_a_picture_of_the_page|^tests/browser/.*\[.*(dark|390)",
    r"^tests/browser/test_report_page.*\[(singles|large)",
    r"^tests/ci/test_action\.py::(?!test_a_drop_against)|^tests/cli/test_exit_codes_of_stores",
    r"^tests/ci/test_slurm\.py::test_.*killed|^tests/runner/ray/.*may_die",
    r"killed_again_and_again|^tests/store/run/test_killed_writer",
    # Containers by runc and gVisor are described by one module; each attack is tried in one of them.
    r"^tests/sandbox/conformance/test_(results|sockets|read_only|patterns|neighbours|network).*\[(oci|gvisor)",
    r"^tests/sandbox/conformance/test_(limits|isolation).*\[gvisor|^tests/sandbox/test_packages.*\[gvisor",
    r"^tests/sandbox/conformance/test_limits.*(too_long|without_end|floods|was_used).*\[(oci|warm w|process)",
    r"^tests/sandbox/gvisor/test_truths.*\[(?!python|c:)",
    r"^tests/store/run/viewing/test_locked_sql.*\[SELECT repeat|^tests/store/run/test_states.*\[(2|3|50)\]",
    r"^tests/store/run/test_integrity.*file_and_back.*\[(csv|parquet)",
    r"^tests/store/run/test_importing.*\[(behaviour|rust)",
    r"^tests/store/run/test_export.*is_scored_as.*\[rows\.(jsonl|tsv|parquet|csv\.gz)",
    r"^tests/sandbox/test_load|::test_nothing_is_left_after_many_commands_at_a_time",
    r"^tests/logs/.*test_made_by_tools|^tests/examples/test_mlflow_sink",  # needs scripts/ci/peers
)


def is_quick(name: str) -> bool:
    """Whether tests of this name, file or folder are fast and need no tool."""
    return not set(kinds_of(name)).intersection(NOT_QUICK)


def in_check(nodeids: Sequence[str]) -> Iterator[str]:
    """Give the tests that `make check` runs."""
    members = set[tuple[str, str]]()
    for nodeid in nodeids:
        if any(re.search(pattern, nodeid) for pattern in CHECK_ALL):
            continue
        member = member_of(nodeid)
        if member is None or member not in members:
            yield nodeid
        if member is not None:
            members.add(member)


def member_of(nodeid: str) -> tuple[str, str] | None:
    """Return the family and the variety of a test, or None if it belongs to no family."""
    family, bracket, _ = nodeid.partition("[")
    for pattern, variety in FAMILIES.items():
        if bracket and re.search(pattern, family):
            match = re.search(variety, nodeid[len(family) :])
            return family, match[0] if match else ""
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sandbox", default="bubblewrap", help="where answers break their checks: oci, gvisor")
    parser.addoption("--size", choices=("quick", "check", "all"), default="all", help="how many tests to run")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without a quick test: importing all files takes longer than the quick tests."""
    if config.getoption("--size") != "quick" or not collection_path.is_relative_to(config.rootpath):
        return None
    inside = collection_path.relative_to(config.rootpath).as_posix()
    name = f"{inside}/" if collection_path.is_dir() else inside
    return None if is_quick(name) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark every test, drop those of larger sizes, and put slow ones first."""
    for item in items:
        for kind in kinds_of(item.nodeid):
            item.add_marker(kind)
    size = config.getoption("--size")
    if size != "all":
        kept = set(in_check([item.nodeid for item in items if item.get_closest_marker("check_all") is None]))
        dropped = [
            item
            for item in items
            if item.nodeid not in kept or (size == "quick" and not is_quick(item.nodeid))
        ]
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if item not in set(dropped)]
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
