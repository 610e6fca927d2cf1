"""Fresh answers are generated within one budget, and never taken from a run with other settings."""

import pickle
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from steelyard.app import confirm, fresh_runs
from steelyard.app.fresh_runs import Resampled, Side
from steelyard.app.run import ignore_progress
from steelyard.model.config import ProviderSettings
from steelyard.model.progress import RunProgress, RunResult

AGAIN = Resampled(baseline=("own/m", "T0"), current=("own/m", "T0"), cases=(("s", "a"),), samples=5)


class PaidRun:
    """A run that spends ten on answers and eighty on judges."""

    address = "runs/one"

    def __init__(self) -> None:
        self.caps: list[int | None] = []

    def generate(self, *, progress: object, max_nano_usd: int | None) -> object:
        self.caps.append(max_nano_usd)
        total = SimpleNamespace(cost_nano_usd=10, is_complete=True)
        return SimpleNamespace(progress=SimpleNamespace(total=total, spent_nano_usd=90), stops=())


def side(providers: Mapping[str, ProviderSettings], digest: str = "d") -> Side:
    held = SimpleNamespace(
        manifest=SimpleNamespace(id="r"),
        eval_set=SimpleNamespace(digest=digest),
        settings=SimpleNamespace(providers=providers),
    )
    return cast("Side", held)


def test_what_judges_cost_counts_towards_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirm, "exit_code", lambda _: 0)
    run = PaidRun()

    confirm._generate_runs(cast("Any", [run, run]), 100, ignore_progress, lambda _: None)

    assert run.caps == [100, 10]


def test_a_run_for_another_place_to_ask_has_another_name() -> None:
    def name(url: str, **more: Any) -> str:  # noqa: ANN401  # fields of a provider
        here = side({"own": ProviderSettings(name="own", base_url=url, **more)})
        return fresh_runs._name_runs(here, here, [AGAIN])

    assert name("http://one") != name("http://two")
    assert name("http://one") == name("http://one", max_concurrency=3)


def test_a_run_by_other_tests_has_another_name() -> None:
    before, after = side({}, "as generated"), side({}, "regraded by other tests")

    assert fresh_runs._name_runs(before, before, [AGAIN]) != fresh_runs._name_runs(before, after, [AGAIN])


def test_what_stopped_early_can_be_sent_from_another_process() -> None:
    result = RunResult(address="runs/x", progress=RunProgress(subjects={}), stopped={}, was_stopped=True)
    sent = pickle.loads(pickle.dumps(confirm.ConfirmationStopped(result)))  # noqa: S301  # our own

    assert (str(sent), sent.result) == (str(confirm.ConfirmationStopped(result)), result)
