"""Ray Serve runs the same application; a killed replica is replaced and gives the same verdicts."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.service.servers import EVAL_SET

PYTHON = os.environ.get("STEELYARD_RAY_SERVE", "")
SCRIPT = Path(__file__).with_name("killed_replica.py")


@pytest.mark.check_all
@pytest.mark.skipif(not PYTHON, reason="STEELYARD_RAY_SERVE names no Python with ray[serve]")
def test_a_killed_replica_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(EVAL_SET, encoding="utf-8")

    patient = {**os.environ, "RAY_raylet_start_wait_time_s": "150"}
    ended = subprocess.run([PYTHON, SCRIPT, path], capture_output=True, text=True, check=False, env=patient)

    assert ended.stdout.splitlines()[-1:] == ["rewards 1.0 0.0, after a kill 1.0"], ended.stderr
