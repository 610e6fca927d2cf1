"""Killing writers at random moments, in small; `perf/kill_writer.py` does it 300 times."""

from pathlib import Path

import pytest

from perf.kill_writer import complete, kill_many, report_text, unharmed
from steelyard.store.run.run_store import open_run

KILLS = 15


@pytest.mark.timeout(900)
def test_killed_writers_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    toll = kill_many(tmp_path / "killed", kills=KILLS, seed=4)
    complete(tmp_path / "killed")
    unharmed(tmp_path / "unharmed", open_run(tmp_path / "killed").manifest.planned_samples or 0)

    assert (toll.lost, toll.doubled, toll.torn, toll.miscounted) == (0, 0, 0, 0)
    assert toll.inside_a_commit >= KILLS // 5
    assert report_text(tmp_path / "killed") == report_text(tmp_path / "unharmed")
