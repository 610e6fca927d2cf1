"""What was spent in vain is kept beside a run, and a damaged file is not taken for nothing spent."""

from pathlib import Path

import pytest

from steelyard.errors import StoreError
from steelyard.store.run.location import location_of
from steelyard.store.run.unbillable_spend import FILE_NAME, read_unbillable_spend, write_unbillable_spend


def test_a_sum_comes_back_and_an_absent_one_is_nothing(tmp_path: Path) -> None:
    place = location_of(tmp_path / "run")
    assert read_unbillable_spend(place) == 0

    write_unbillable_spend(place, 12)

    assert read_unbillable_spend(place) == 12


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"nano_usd": -1}', '{"nano_usd": "7"}', "null"])
def test_a_damaged_file_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")

    with pytest.raises(StoreError, match=r"unanswered\.json.*file"):
        read_unbillable_spend(location_of(tmp_path))
