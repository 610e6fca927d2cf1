"""Clients of trainers, as their packages ship them, get right rewards from the service."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.service.servers import Server

CALLS = Path(__file__).with_name("client_calls.py")
PYTHON = os.environ.get("STEELYARD_TRAINERS", "")


@pytest.mark.check_all
@pytest.mark.skipif(not PYTHON, reason="STEELYARD_TRAINERS names no Python with sandbox-fusion and verl")
def test_unchanged_clients_of_sandbox_fusion_and_verl_work(server: Server) -> None:
    ended = subprocess.run([PYTHON, CALLS, server.url], capture_output=True, text=True, check=False)

    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == {
        "run": ["Success", "42\n", 0],
        "late": ["Failed", "TimeLimitExceeded"],
        "submit": [True, False],
        "verl": [1.0, 1.0, 0.0, 1.0],
    }
