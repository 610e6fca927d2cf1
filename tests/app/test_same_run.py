"""`or_resume`: the same command begins a run, goes on with it, and finds it complete."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard.app.validate import load_eval_set
from steelyard.errors import InputError, UserError
from steelyard.model.config import Config, ProviderSettings
from steelyard.render.json import JsonRenderer
from tests.commands import typed

STORED = Path(__file__).parent / "data" / "small_set"
SET, ANSWERS = STORED / "set.toml", STORED / "answers.jsonl"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def begun(address: str = "mine", **options: object) -> "steelyard.EndedRun":
    return steelyard.run(SET, address=address, or_resume=True, **{"replay": ANSWERS, **options})  # type: ignore[arg-type]


def test_a_run_that_ended_early_goes_on_by_the_same_arguments() -> None:
    # As a provider, and not in the place of all of them: then its prices count against the cap.
    lab = ProviderSettings(name="lab", kind="replay", options={"path": str(ANSWERS)})
    options: dict[str, Any] = {
        "replay": None,
        "models": "lab/m",
        "samples": 3,
        "config": Config(providers={"lab": lab}),
    }
    whole = begun("whole", **options)

    stopped = begun(prices={"lab/m": (3, 15)}, max_usd="0.0001", max_concurrency=1, **options)
    ended = begun(**options)

    assert stopped.result.progress.total.generated < 24
    assert ended.result.is_complete
    assert JsonRenderer().render(ended.report()) == JsonRenderer().render(whole.report())


@pytest.mark.check_all
def test_a_run_that_is_complete_stays_as_it_is() -> None:
    first = JsonRenderer().render(begun().report())

    assert JsonRenderer().render(begun().report()) == first


@pytest.mark.check_all
def test_a_shard_goes_on_as_the_shard_that_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("run", SET, "--replay", ANSWERS, "--shard", "1/2", "--run", "part", "--or-resume", "-q")

    codes = [typed(capsys, *command).code for _ in range(2)]

    assert codes == [0, 0]


@pytest.mark.parametrize(
    ("other", "word"),
    [
        ({"samples": 2}, "samples"),
        ({"tiers": "T1"}, "models and tiers"),
        ({"shard": "1/2"}, "shard"),
        ({"pass_k": (1, 2)}, "k of pass@k"),
    ],
)
def test_a_run_with_another_plan_is_refused(other: dict[str, object], word: str) -> None:
    begun()

    with pytest.raises(UserError, match=f"another plan: .*{word}"):
        begun(**other)  # type: ignore[arg-type]  # the options of a run


def test_a_run_without_an_address_could_not_be_found_again() -> None:
    with pytest.raises(UserError, match="needs the address"):
        steelyard.run(SET, or_resume=True, replay=ANSWERS)


def test_a_forecast_knows_what_is_there_already() -> None:
    begun()

    found = steelyard.forecast_run(SET, address="mine", or_resume=True, replay=ANSWERS)

    assert found.answers == 0


@pytest.mark.parametrize("more", [{"address": "elsewhere"}, {"or_resume": True}])
def test_a_run_that_goes_on_has_one_address(more: dict[str, object]) -> None:
    begun()

    with pytest.raises(UserError, match="`resume`"):
        steelyard.run(resume="mine", replay=ANSWERS, **more)  # type: ignore[arg-type]  # two options of a run


def test_a_case_that_moved_to_another_suite_is_refused() -> None:
    """By suite and id it would be a second case, and its answers would count twice."""
    begun()
    first = load_eval_set(SET)
    moved = replace(first, cases=(replace(first.cases[0], suite="basic"), *first.cases[1:]))

    with pytest.raises(UserError, match=f"case {first.cases[0].id} has moved from suite .* to basic"):
        steelyard.run(moved, resume="mine", replay=ANSWERS)


def test_a_folder_without_a_run_is_not_gone_on_with(tmp_path: Path) -> None:
    began = r"run\.json is missing\. If a run was stopped before it began, repeat its first command"

    with pytest.raises(InputError, match=began):
        steelyard.run(resume=tmp_path, replay=ANSWERS)
    with pytest.raises(InputError, match=began):
        steelyard.forecast_run(resume=tmp_path, replay=ANSWERS)
