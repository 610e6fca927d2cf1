"""A forecast counts what a run that goes on will generate, and leaves the run as it is."""

from pathlib import Path

import pytest

import steelyard
from steelyard.errors import ProviderError
from steelyard.model.request import Request
from steelyard.store.run.regrade import apply as settling
from tests.runner.regrade.test_regrade import CHANGED, regraded
from tests.runner.small_session import SAMPLES, SET, Voice, began, went_on


def refused_once(request: Request) -> str:
    if request.key.attempt == 0:
        raise ProviderError("too long", kind="rejected")
    return "yes"


def test_what_ended_in_an_error_is_left_to_generate(tmp_path: Path) -> None:
    began(tmp_path / "r", Voice(refused_once))

    found = steelyard.forecast_run(resume=tmp_path / "r")

    voice = Voice()
    went_on(tmp_path / "r", voice)
    assert found.answers == len(voice.asked) == len(SET.cases)
    assert steelyard.forecast_run(resume=tmp_path / "r").answers == 0


def test_an_interrupted_regrade_is_left_to_whoever_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    run = tmp_path / "r"
    began(run, Voice())
    with monkeypatch.context() as patch:
        patch.setattr(settling, "_replace_outcomes", killed)
        with pytest.raises(Killed):
            regraded(run, CHANGED)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}

    found = steelyard.forecast_run(resume=run, samples=SAMPLES + 1)

    assert found.answers == len(SET.cases)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
