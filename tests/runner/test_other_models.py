"""Models of a run are dropped or replaced, each in one way only."""

from dataclasses import replace

import pytest

from steelyard.errors import UserError
from steelyard.model.run import Subject
from steelyard.runner.resumed_plan import change_models
from tests.store.run.small_run import MANIFEST

KNOWN = replace(MANIFEST, subjects=tuple(Subject(model=model) for model in ("p/x", "p/y", "p/z")))


def test_each_model_takes_the_place_of_one() -> None:
    found = change_models(KNOWN, ["p/z"], {"p/x": "p/a", "p/y": "p/b"})

    assert [subject.model for subject in found.subjects] == ["p/a", "p/b"]


def test_one_model_cannot_take_the_place_of_two() -> None:
    with pytest.raises(UserError, match="p/b is to replace several models"):
        change_models(KNOWN, [], {"p/x": "p/b", "p/y": "p/b"})


def test_a_model_is_not_dropped_and_replaced_at_once() -> None:
    with pytest.raises(UserError, match="p/x is both dropped and replaced"):
        change_models(KNOWN, ["p/x"], {"p/x": "p/b"})
