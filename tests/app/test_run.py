"""`steelyard.run` gives the same run as the command: in a script, and in a notebook with its event loop."""

import asyncio
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

import steelyard
from steelyard.app.validate import load_eval_set
from steelyard.cli import run as command
from steelyard.errors import UserError
from steelyard.model.config import Config
from steelyard.render.json import JsonRenderer
from steelyard.render.run_end import run_summary
from tests.commands import Json, strict_json, typed

STORED = Path(__file__).parent / "data" / "small_set"
SET, ANSWERS = STORED / "set.toml", STORED / "answers.jsonl"
# The clock, and which of several equal answers is checked first, which is a race between threads.
BY_CHANCE = {"generated_at_us", "check_us", "is_shared"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def generated(address: str = "mine", **options: object) -> "steelyard.EndedRun":
    return steelyard.run(SET, address=address, replay=ANSWERS, **options)  # type: ignore[arg-type]


def rows(run: str, table: str) -> list[Json]:
    """Return the rows of a run, without what differs by chance."""
    steelyard.export_run(run, f"{run}-{table}.jsonl", table=table)
    lines = Path(f"{run}-{table}.jsonl").read_text(encoding="utf-8").splitlines()
    return [{key: value for key, value in json.loads(line).items() if key not in BY_CHANCE} for line in lines]


def manifest(run: str) -> Json:
    found = strict_json(Path(run, "run.json").read_text(encoding="utf-8"))
    return {key: value for key, value in found.items() if key not in {"id", "created_at"}}


def test_the_command_and_the_function_give_the_same_run(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--replay", ANSWERS, "--price", "lab/m=3/15", "-q", "--pass-k", "1,3", "--format", "json")
    shown = typed(capsys, "run", "--eval-set", SET, "--run", "theirs", *options)

    ended = generated(prices={"lab/m": (3, 15)}, pass_k=(1, 3))

    assert (shown.code, ended.exit_code) == (0, 0)
    report = ended.report(options=steelyard.ReportOptions(pass_k=(1, 3)))
    assert JsonRenderer().render(report) == shown.out
    assert manifest("mine") == manifest("theirs")
    for table in ("samples", "outcomes"):
        assert rows("mine", table) == rows("theirs", table)
    assert len(rows("mine", "samples")) == 24


def test_a_running_event_loop_does_not_break_it() -> None:
    async def cell() -> "steelyard.EndedRun":
        return generated()

    ended = asyncio.run(cell())

    assert ended.result.is_complete
    assert ended.result.progress.total.checked == 24


def test_progress_is_a_snapshot_that_stays_as_it_was() -> None:
    seen: list[steelyard.RunProgress] = []

    ended = generated(progress=seen.append)

    assert seen[-1] == ended.result.progress
    assert all(before.total.checked <= after.total.checked for before, after in pairwise(seen))
    assert {one.total.planned for one in seen} == {24}


@pytest.mark.check_all
def test_more_can_be_generated_for_a_run() -> None:
    first = generated(samples=2, tiers="T0")

    more = steelyard.run(resume=first.address, replay=ANSWERS, samples=3, tiers=["T0", "T1"], models="lab/m")

    assert more.address == first.address
    assert more.result.progress.total.planned == 24
    assert more.compare(first.address).regressions == ()


def test_a_configuration_can_be_given_as_a_record() -> None:
    ended = steelyard.run(SET, replay=ANSWERS, config=Config(runs="elsewhere"))

    assert Path(ended.address).parent.name == "elsewhere"


def test_what_is_missing_is_said_by_the_name_of_the_parameter() -> None:
    with pytest.raises(steelyard.SteelyardError, match=r"`eval_set` is missing.*`resume=RUN`"):
        steelyard.run()
    with pytest.raises(steelyard.SteelyardError, match=r"`max_usd`.*'much'"):
        generated(max_usd="much")


def test_a_warning_about_the_plan_is_a_warning_of_python() -> None:
    with (
        pytest.warns(UserWarning, match="not independent"),
        pytest.warns(UserWarning, match=r"pass@3.*lab/m"),
    ):
        generated(temperature=0.0, pass_k=3)


def test_the_command_names_its_own_options(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "run")

    assert shown.code == 2
    assert shown.err == "error: --eval-set is missing; to resume a run, name it: --resume RUN\n"


def test_parameters_that_would_not_be_used_are_refused() -> None:
    first = generated(temperature=0.2)

    with pytest.raises(UserError, match=r"`temperature`.*lab/m"):
        steelyard.run(resume=first.address, replay=ANSWERS, temperature=0.9)

    again = steelyard.run(resume=first.address, replay=ANSWERS, temperature=0.2)
    assert again.result.is_complete


def test_a_tier_that_asks_in_another_way_is_not_mixed_with_what_was_asked() -> None:
    first = generated()
    known = load_eval_set(SET)
    changed = replace(known, tiers=tuple(replace(one, system_prompt="Think hard.") for one in known.tiers))
    renamed = replace(known, tiers=tuple(replace(one, description="another") for one in known.tiers))

    with pytest.raises(UserError, match=r"prompts of tier"):
        steelyard.run(changed, resume=first.address, replay=ANSWERS)

    assert steelyard.run(renamed, resume=first.address, replay=ANSWERS).result.is_complete


def test_feedback_is_not_switched_on_in_the_middle_of_a_run() -> None:
    first = generated()
    known = load_eval_set(SET)
    changed = replace(known, sampling=replace(known.sampling, stop_rule="maximum=2,passes=1", feedback=True))

    with pytest.raises(UserError, match="feedback"):
        steelyard.run(changed, resume=first.address, replay=ANSWERS)


def test_what_recorded_answers_cost_does_not_count_against_the_cap(tmp_path: Path) -> None:
    rows = [json.loads(line) | {"cost_usd": 3} for line in ANSWERS.read_text(encoding="utf-8").splitlines()]
    priced = tmp_path / "priced.jsonl"
    priced.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    ended = steelyard.run(SET, address="mine", replay=priced, max_usd=5)

    assert ended.result.is_complete
    assert ended.result.progress.spent_nano_usd == ended.result.progress.total.cost_nano_usd > 5_000_000_000


def recorded(path: Path, lines: list[Json]) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_a_record_of_the_last_cases_is_generated_to_its_end(tmp_path: Path) -> None:
    cases = [f"c{number:02d}" for number in range(40)]
    text = '[eval_set]\nid = "s"\ndefault_language = "text"\n' + "".join(
        f'[[cases]]\nid = "{case}"\nprompt = "Say yes."\nexpectations.settings.exact = "yes"\n'
        for case in cases
    )
    (tmp_path / "set.toml").write_text(text, encoding="utf-8")
    answers = recorded(tmp_path / "last.jsonl", [{"case": case, "text": "yes"} for case in cases[-4:]])

    ended = steelyard.run("set.toml", address="mine", replay=answers, models="lab/m")

    total = ended.result.progress.total
    assert (total.passed, total.errors["not_recorded"]) == (4, 36)
    assert "next: steelyard report mine" in run_summary(ended.result, "mine")


@pytest.mark.parametrize(
    ("models", "says"),
    [
        ((), "answers"),
        ("lab/other", "lab/other"),
    ],
)
def test_a_record_that_cannot_answer_is_refused_at_once(models: str, says: str, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines()]
    without = [{name: line[name] for name in line if name != "model"} for line in lines]
    answers = recorded(tmp_path / "answers.jsonl", lines if models else without)

    with pytest.raises(UserError, match=says):
        steelyard.run(SET, replay=answers, models=models)


def test_a_run_that_was_generated_from_a_record_wants_it_again() -> None:
    generated()

    with pytest.raises(UserError, match="`replay=FILE`"):
        steelyard.run(resume="mine", samples=9)


def test_the_next_command_has_the_options_that_it_needs() -> None:
    what, generate = SimpleNamespace(config="my lab.toml"), SimpleNamespace(replay="a.jsonl")
    execution = SimpleNamespace(
        sandbox="gvisor", batch=True, price=["lab/m=3/15"], allow_unpriced=True, no_reference_check=False
    )

    again = command._format_resume_options(what, generate, execution)  # type: ignore[arg-type]

    words = "--sandbox gvisor --price lab/m=3/15 --allow-unpriced --batch"
    assert again == f" --config 'my lab.toml' --replay a.jsonl {words}"
    plain = SimpleNamespace(
        sandbox="bubblewrap", batch=False, price=[], allow_unpriced=False, no_reference_check=False
    )
    what, generate = SimpleNamespace(config=None), SimpleNamespace(replay=None)
    assert command._format_resume_options(what, generate, plain) == ""  # type: ignore[arg-type]


def test_a_progress_callback_that_breaks_costs_neither_the_run_nor_its_result() -> None:
    calls: list[steelyard.RunProgress] = []

    def broken(progress: steelyard.RunProgress) -> None:
        calls.append(progress)
        raise ZeroDivisionError("mine")

    with pytest.warns(UserWarning, match="ZeroDivisionError"):
        ended = generated(progress=broken)

    assert ended.result.is_complete
    assert len(calls) == 1


@pytest.mark.check_all
def test_recorded_answers_to_cases_that_the_set_lacks_are_named(tmp_path: Path) -> None:
    lines = ANSWERS.read_text(encoding="utf-8")
    misspelt = tmp_path / "misspelt.jsonl"
    other = (
        lines.replace('"case": "colour"', '"case": "color"') + '{"tier": "judge", "case": "j", "text": ""}\n'
    )
    misspelt.write_text(other, encoding="utf-8")
    said: list[str] = []

    steelyard.run(SET, address="one", replay=misspelt, notify=said.append, cases="sum", samples=1)
    steelyard.run(resume="one", replay=misspelt, notify=said.append)  # the part that the run is
    steelyard.run(SET, address="two", replay=ANSWERS, notify=said.append, cases="sum", samples=1)

    what = "6 lines for cases that the set does not have: color; did you mean 'colour'?"
    assert said == [f"{misspelt}: {what}"]
