"""Mark tests by what they need and by whether they are slow, from their names: one table for all folders.

`pytest -m "not ray"` skips tests with the marker `ray`; tests/README.md lists the markers.
"""

import re
from collections.abc import Mapping

RUST = (
    r"^tests/checks/(toolchains/rust/|forms/(calls|io)/.*\brust\b)"
    r"|(test_conformance|test_shipped\w*)\.py.*rust|checks?.rust"
)
DRIVEN = r"^tests/checks/forms/(calls/test_(drivers|attacks|idioms)|io/test_(checker|attacks|idioms))"
TERRAFORM = (
    r"^tests/checks/toolchains/terraform/|(test_conformance|test_shipped\w*)\.py.*terraform|checks?.terraform"
    r"|test_iac_eval"
)
TOOLS = r"test_ways_out"  # answers in every language
PAGES = r"^tests/docs/test_console_blocks"
# Whole commands, pages, stores and runs; the formulas, which `make core` tests; and files that simulate,
# wait, have thousands of tests, or read the whole house.
LONG = (
    r"^tests/(app|ci|cli|examples|fake_providers|golden|input|metrics|store/run|web)/"
    r"|^tests/analysis/test_(compare|drift|gate|plan|policy)|^tests/conformance/test_renderers"
    r"|^tests/checks/(test_(environments|memory|time_by_length)|forms/text/test_(checker|forms)|extraction/test_extract)"
    r"|^tests/repo/test_(class_names|docstrings|elsewhere|imports|laziness|repository_files|sizes|words)"
    r"|^tests/providers/(llm/|test_(limiter|pace))|^tests/sources/benchmark_data/test_hub"
    r"|^tests/runner/(judge/|test_(forecast|session|stop_rule_scheduler))"
    r"|^tests/store/test_(duplicates|outcomes)"
)

# Marker → what the full name of such a test holds.
KINDS: Mapping[str, str] = {
    "browser": r"^tests/browser/",
    "java": r"^tests/checks/forms/(tests|calls|io)/.*\bjava\b",
    "pages": PAGES,
    "ray": r"/ray/|run-on-ray|on_ray|by_ray",
    "long": LONG,
    "rust": RUST,
    "s3": r"/bucket/",
    "sandbox": r"^tests/(sandbox|checks/(forms/tests|toolchains/(python|recipes))|providers/command)/"
    rf"|{DRIVEN}|{RUST}|{TERRAFORM}|{PAGES}|{TOOLS}"
    r"|tests/checks/test_conformance|test_shipped|^tests/(e2e|trials)/|tests/evalsets/|test_scripts"
    r"|^tests/(app/benchmarks/test_verify|cli/test_benchmarks|benchmarks/test_live)|test_expected"
    r"|runner/test_feedback|test_slurm",
    "slurm": r"test_slurm",
    "terraform": TERRAFORM,
    "toolchain": rf"^tests/checks/(forms/tests|toolchains/recipes)/|{DRIVEN}|{RUST}|{TERRAFORM}"
    rf"|{PAGES}|{TOOLS}|test_conformance\.py.*command|^tests/benchmarks/test_shipped",
    "slow": rf"{DRIVEN}|{TOOLS}|"
    r"^tests/(browser|simulations|benchmarks)/|/ray/|test_killed|test_dead_workers|test_load"
    rf"|test_crowd|test_exit_codes_of_stores|test_full_disk|test_power_failure|{PAGES}"
    r"|judge/test_injection|^tests/(e2e|trials)/|^tests/ci/test_action|test_gate_confirm|test_regrade|test_run_signals"
    r"|test_run_missing_tools|test_broken_inputs|test_made_by_tools|test_mlflow_sink|test_slurm",
}

NOT_QUICK = ("browser", "long", "pages", "ray", "s3", "sandbox", "slow", "toolchain")


def kinds_of(nodeid: str) -> list[str]:
    """Return the markers of a test, slow or not."""
    return [kind for kind, pattern in KINDS.items() if re.search(pattern, nodeid)]
