"""The three trials of a first day run to their end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TRIALS = Path(__file__).parent
NAMES = sorted(path.name for path in TRIALS.glob("*.sh") if path.name != "common.sh")


def test_there_is_a_trial_of_each_kind_of_user() -> None:
    assert NAMES == ["engineer.sh", "owner.sh", "researcher.sh"]


@pytest.mark.check_all
@pytest.mark.timeout(900)  # a dozen commands, each a process of its own
@pytest.mark.parametrize("name", NAMES)
def test_a_trial_runs_to_its_end(name: str, tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "TMPDIR": str(tmp_path)}

    done = subprocess.run([TRIALS / name], env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("all good: ")
