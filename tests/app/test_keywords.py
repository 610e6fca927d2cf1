"""A keyword that a function does not have, or a number that cannot be meant, is refused before any work."""

from pathlib import Path

import pytest

import steelyard
from steelyard.app.settings import LEAST, RANGES, RunArguments
from steelyard.errors import UserError


@pytest.mark.parametrize(
    ("keyword", "near"), [("max_us", "max_usd"), ("tier", "tiers"), ("sample", "samples")]
)
def test_a_misspelt_keyword_is_refused_as_python_does(keyword: str, near: str) -> None:
    with pytest.raises(TypeError) as refused:
        steelyard.run("absent.toml", **{keyword: 1})  # type: ignore[arg-type]

    assert (
        str(refused.value) == f"run() got an unexpected keyword argument '{keyword}'; did you mean '{near}'?"
    )


def test_all_functions_with_open_keywords_refuse_unknown_ones(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="'max_us'"):
        steelyard.regrade(tmp_path, max_us=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="'max_us'"):
        steelyard.confirm(tmp_path, tmp_path, max_us=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"forecast_run\(\).*'max_us'"):
        steelyard.forecast_run("absent.toml", max_us=1)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("keyword", "value", "says"),
    [
        ("samples", 0, "`samples` must be a whole number from 1 on, got 0"),
        ("samples", "2", "`samples` must be a whole number from 1 on, got '2'"),
        ("samples", True, "`samples` must be a whole number from 1 on, got True"),
        ("limit", 0, "`limit` must be a whole number from 1 on, got 0"),
        ("retries", -1, "`retries` must be a whole number from 0 on, got -1"),
        ("temperature", 9, "`temperature` must be a number from 0 to 2, got 9"),
        ("top_p", float("nan"), "`top_p` must be a number from 0 to 1, got nan"),
    ],
)
def test_a_number_that_cannot_be_meant_is_refused(keyword: str, value: object, says: str) -> None:
    with pytest.raises(UserError) as refused:
        steelyard.run("absent.toml", **{keyword: value})  # type: ignore[arg-type]

    assert str(refused.value) == says


def test_every_number_that_is_looked_at_is_a_keyword_of_run() -> None:
    assert {*LEAST, *RANGES} <= RunArguments.__optional_keys__
