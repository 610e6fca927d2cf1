"""What only counts works on macOS and Windows too, as far as imports go; only running answers needs Linux."""

import subprocess
import sys
from pathlib import Path

import pytest

from steelyard import import_files
from tests.repo.package import REPOSITORY

EXAMPLES = REPOSITORY / "examples" / "rust-basics"
BEFORE, AFTER = str(EXAMPLES / "baseline.csv"), str(EXAMPLES / "current.csv")

TAKEN_OUT = (
    f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import elsewhere; elsewhere.take_out()"
)
FUNCTIONS = """
import steelyard
before, after = steelyard.score_files([{before!r}]), steelyard.score_files([{after!r}])
steelyard.compare_reports(before, after, threshold="0.05")
steelyard.gate_reports(before, after)
steelyard.plan_samples(before)
steelyard.report_run({run!r})
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A run to report on; it was made here, on Linux."""
    folder = tmp_path_factory.mktemp("elsewhere") / "run"
    import_files([BEFORE], run=folder)
    return str(folder)


def elsewhere(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with some arguments, and return how it ended."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=250
    )


def test_the_commands_that_count_need_no_linux(tmp_path: Path) -> None:
    script = REPOSITORY / "scripts" / "smoke_portable.py"

    done = elsewhere(
        "-c",
        f"{TAKEN_OUT}; import runpy; runpy.run_path({str(script)!r}, run_name='__main__')",
        folder=tmp_path,
    )

    assert done.returncode == 0, done.stderr
    remarks = {line.partition(":")[0] for line in done.stderr.splitlines()}
    assert remarks <= {"baseline", "current", "from"}, done.stderr
    assert done.stdout.endswith("the commands without a sandbox work here\n")


def test_a_function_that_counts_needs_no_linux(run: str, tmp_path: Path) -> None:
    done = elsewhere("-c", TAKEN_OUT + FUNCTIONS.format(before=BEFORE, after=AFTER, run=run), folder=tmp_path)

    assert (done.stderr, done.returncode) == ("", 0)


def test_what_was_taken_out_is_missed(tmp_path: Path) -> None:
    done = elsewhere("-c", f"{TAKEN_OUT}; import steelyard.sandbox.resource_limits", folder=tmp_path)

    assert "ModuleNotFoundError: import of resource halted" in done.stderr
