"""Reports of runs that a stop rule ended are refused where counts are compared."""

from pathlib import Path

import pytest

from steelyard.analysis.fixed_samples import require_fixed_samples
from steelyard.errors import UserError
from tests.analysis.counted import reported

ONE_CASE = "model,case,attempt,passed\nm,a,0,false\nm,a,1,true\n"


def test_a_stop_rule_is_refused_with_its_place(tmp_path: Path) -> None:
    report = reported(tmp_path, ONE_CASE, stop_rule="maximum=3,passes=1")

    with pytest.raises(UserError, match=r"old\.json.*maximum=3,passes=1"):
        require_fixed_samples(report, where="old.json")


def test_a_fixed_number_of_samples_is_not(tmp_path: Path) -> None:
    require_fixed_samples(reported(tmp_path, ONE_CASE), where="old.json")
