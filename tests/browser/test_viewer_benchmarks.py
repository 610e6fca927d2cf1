"""The benchmarks that look at the viewer with a browser, at a size where their figures mean nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.package import REPOSITORY

SIZE = 400
PEERS_ENV = "STEELYARD_LOG_TOOLS"  # a Python with Inspect, which CI installs


@pytest.mark.timeout(180)
def test_the_viewers_open_the_same_number_of_answers(tmp_path: Path) -> None:
    peers = os.environ.get(PEERS_ENV)
    others = ["--inspect", peers] if peers else []

    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "benchmarks.view_peers",
            tmp_path,
            "--sizes",
            str(SIZE),
            "--rounds",
            "1",
            *others,
        ],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )

    lines = ended.stdout.splitlines()
    assert len(lines) == 1 + bool(peers), ended.stderr
    for line in lines:
        name, _, figures = line.partition(f", {SIZE} samples: ")
        assert json.loads(figures)["sample_s"] > 0, (name, ended.stderr)


@pytest.mark.timeout(180)
def test_a_run_is_followed_while_it_is_written(tmp_path: Path) -> None:
    samples = "10000"

    ended = subprocess.run(
        [sys.executable, "-m", "benchmarks.view_live", tmp_path, "--samples", samples, "--rounds", "1"],
        cwd=REPOSITORY,
        env={**os.environ, "BENCH_ATTEMPTS": "20"},
        capture_output=True,
        text=True,
        check=False,
    )

    figures = json.loads(ended.stdout.splitlines()[0])
    assert figures["looks"] > 0, ended.stderr
