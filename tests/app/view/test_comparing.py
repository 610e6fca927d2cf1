"""Two runs side by side in the viewer: each change has both of its sides, whatever the models are called."""

from pathlib import Path

import pytest

from steelyard.app.view.comparing import compare_views
from steelyard.app.view.run_view import RunView
from steelyard.model.state import SubjectKey
from steelyard.store.run.files import RunReader
from tests.web.runs import make_run


def sides(
    before: RunView, after: RunView, subjects: tuple[SubjectKey, SubjectKey] | None
) -> set[tuple[str, str]]:
    found = compare_views(before, after, subjects=subjects).changes
    return {(one.before.model, one.after.model) for one in found if one.before and one.after}


@pytest.mark.check_all
def test_runs_of_one_model_each_are_compared_under_both_names(tmp_path: Path) -> None:
    make_run(tmp_path / "old", cases=2, models=("m/good",))
    make_run(tmp_path / "new", cases=2, models=("m/other", "m/weak"))
    reader = RunReader(str(tmp_path))
    old, new = (RunView(name, str(tmp_path / name), name, reader) for name in ("old", "new"))
    good, weak = SubjectKey("m/good", "T0"), SubjectKey("m/weak", "T0")

    assert sides(old, new, (good, weak)) == {("m/good", "m/weak")}
    old.close()
    new.close()
