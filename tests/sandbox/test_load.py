"""Many commands at once, in the small: `perf/sandbox_load.py` does it in the large."""

import pytest

from perf.sandbox_load import main


def test_hundreds_of_commands_leave_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--count", "120", "--workers", "8"])

    shown = capsys.readouterr().out
    assert "leaks: none" in shown
    assert "{'as expected': 120}" in shown
    assert code == 0
