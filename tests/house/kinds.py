"""Mark tests by what they need and by whether they are slow, from their names: one table for all folders.

`pytest -m "not ray"` leaves out what the marker `ray` stands for; tests/README.md lists the markers. Slow
tests come first in a distributed run, so that no worker is left with one at the end.
"""

import re
from collections.abc import Mapping

import pytest

RUST = (
    r"^tests/checks/(rust/|(calls|io)/.*\brust\b)|(test_conformance|test_shipped\w*)\.py.*rust|checks?.rust"
)
DRIVEN = r"^tests/checks/(calls/test_(drivers|attacks)|io/test_(checker|attacks))"
TERRAFORM = r"^tests/checks/terraform/|(test_conformance|test_shipped\w*)\.py.*terraform|checks?.terraform"
TOOLS = r"test_ways_out"  # answers in every language
PAGES = r"^tests/docs/test_console_blocks"

# Marker → what the full name of such a test holds.
KINDS: Mapping[str, str] = {
    "browser": r"^tests/browser/",
    "java": r"^tests/checks/(command|calls|io)/.*\bjava\b",
    "pages": PAGES,
    "ray": r"/ray/|run-on-ray|on_ray|by_ray",
    "rust": RUST,
    "s3": r"/bucket/",
    "sandbox": r"^tests/(sandbox|checks/python|checks/command|providers/command)/"
    rf"|{DRIVEN}|{RUST}|{TERRAFORM}|{PAGES}|{TOOLS}"
    r"|tests/checks/test_conformance|test_shipped|^tests/runs/|tests/evalsets/|test_scripts"
    r"|^tests/(app/benchmarks/test_verify|cli/test_benchmarks|benchmarks/test_live)|test_expected",
    "terraform": TERRAFORM,
    "toolchain": rf"^tests/checks/command/|{DRIVEN}|{RUST}|{TERRAFORM}|{PAGES}|{TOOLS}"
    r"|test_conformance\.py.*command|^tests/benchmarks/test_shipped",
    "slow": rf"{DRIVEN}|{TOOLS}|"
    r"^tests/(browser|simulations|benchmarks)/|/ray/|test_killed|test_dead_workers|test_load"
    rf"|test_crowd|test_exit_codes_of_stores|test_full_disk|test_power_failure|{PAGES}"
    r"|judge/test_injection|^tests/runs/|^tests/ci/test_action|test_gate_confirm|test_regrade|test_run_signals"
    r"|test_run_missing_tools|test_broken_inputs",
}


def kinds_of(nodeid: str) -> list[str]:
    """Return the markers of a test, slow or not."""
    return [kind for kind, pattern in KINDS.items() if re.search(pattern, nodeid)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test, and put the slow ones first."""
    for item in items:
        for kind in kinds_of(item.nodeid):
            item.add_marker(kind)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
