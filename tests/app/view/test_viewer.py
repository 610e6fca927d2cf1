"""What the viewer opens, and what it says about the rest."""

from pathlib import Path

import pytest

from steelyard.app.view.viewer import open_viewer
from steelyard.errors import UserError
from tests.commands import written


def test_what_is_missing_may_be_a_file_or_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gone\.json.*file"):
        open_viewer(tmp_path / "gone.json")


def test_a_report_is_refused_with_what_the_viewer_opens(tmp_path: Path) -> None:
    report = written(tmp_path, '{"schema": "steelyard.report/1"}', "report.json")

    with pytest.raises(
        UserError, match=r"(?s)report\.json: .*The viewer opens runs and verdicts of `steelyard"
    ):
        open_viewer(report)


def test_a_file_beside_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"r\.json.*file"):
        open_viewer(tmp_path, [written(tmp_path, "{}", "r.json")])
