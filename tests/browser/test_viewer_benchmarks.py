"""The benchmarks that look at the viewer with a browser, at a size where their figures mean nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from perf.view_live import late_by
from perf.view_peers import main
from tests.repo.package import REPOSITORY

SIZE = 400
PEERS_ENV = "STEELYARD_LOG_TOOLS"  # a Python with Inspect, which CI installs


@pytest.mark.timeout(900)
def test_the_viewers_open_the_same_number_of_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    peers = os.environ.get(PEERS_ENV)
    others = ["--inspect", peers] if peers else []
    monkeypatch.setattr(
        sys, "argv", ["view_peers", str(tmp_path), "--sizes", str(SIZE), "--rounds", "1", *others]
    )

    main()

    said = capfd.readouterr()
    lines = [line for line in said.out.splitlines() if f", {SIZE} samples: " in line]
    assert len(lines) == 1 + bool(peers), said.err
    for line in lines:
        name, _, figures = line.partition(f", {SIZE} samples: ")
        assert json.loads(figures)["sample_s"] > 0, (name, said.err)


def followed(folder: Path, *, samples: int) -> subprocess.CompletedProcess[str]:
    """Run the benchmark in a process of its own: it keeps to some of the cores."""
    return subprocess.run(
        [sys.executable, "-m", "perf.view_live", folder, "--samples", str(samples), "--rounds", "1"],
        cwd=REPOSITORY,
        env={**os.environ, "BENCH_ATTEMPTS": "20"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.timeout(900)
def test_a_run_is_followed_while_it_is_written(tmp_path: Path) -> None:
    # On a busy machine a short run ends before the browser shows it.
    ended = followed(tmp_path, samples=10_000)
    if "late_median_s" not in ended.stdout:
        ended = followed(tmp_path, samples=80_000)

    assert ended.stdout, ended.stderr
    assert json.loads(ended.stdout.splitlines()[0])["looks"] > 0


def test_a_page_is_as_late_as_the_oldest_commit_that_it_does_not_show() -> None:
    commits = [(10.0, 100), (11.0, 200), (12.0, 300)]

    assert late_by(11.5, 0, commits) == 1.5
    assert late_by(11.5, 100, commits) == 0.5
    assert late_by(11.5, 200, commits) == 0
