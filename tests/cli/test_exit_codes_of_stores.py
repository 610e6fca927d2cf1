"""Commands that read and write runs end with the right code; `perf/exit_codes.py` starts 200."""

from pathlib import Path

import pytest

from perf.exit_codes import prepare, surprises


@pytest.mark.timeout(900)
def test_no_command_ends_otherwise_than_it_should(tmp_path: Path) -> None:
    prepare(tmp_path)

    seen, wrong = surprises(tmp_path, 12)

    assert not wrong
    assert set(seen) == {0, 1, 2, 3, 4}
