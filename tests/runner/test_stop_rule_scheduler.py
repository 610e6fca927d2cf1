"""Where a stop rule is declared, no case generates more than the rule demands, nor less, whatever happens."""

import os
import signal
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import steelyard
from steelyard.errors import ProviderError, UserError
from steelyard.metrics.stopping import StopRule, stopping_paths
from steelyard.model.estimate import Reason
from steelyard.model.evalset import SamplingPlan
from steelyard.model.request import Request
from steelyard.runner.plan import RunOptions, plan_run
from steelyard.runner.resumed_plan import extend_plan
from steelyard.runner.session import begin_run, execute
from steelyard.store.run.run_store import open_run
from tests.runner.small_session import SET, Voice, resources, went_on

FIRST_PASS = "maximum=6,passes=1"
PASSES_AT = {f"c{number}": number for number in range(8)}  # c0 passes at once, c6 and c7 never


def set_with(rule: str) -> steelyard.EvalSet:
    return replace(SET, sampling=SamplingPlan(stop_rule=rule))


def by_number(request: Request) -> str:
    return "yes" if request.key.attempt >= PASSES_AT[request.key.case] else "no"


def began(address: Path, voice: Voice, rule: str = FIRST_PASS, **settings: object) -> None:
    plan = plan_run(set_with(rule), RunOptions(models=("lab/m",)))
    execute(
        begin_run(plan, str(address)),
        plan.eval_set,
        resources(voice, plan, **settings),
        progress=lambda _: None,
    )


def counted(address: Path) -> dict[str, tuple[int, int]]:
    return {case.case: (case.n, case.c) for case in steelyard.report_run(address).cases}


def test_a_case_is_generated_until_the_rule_ends_it(tmp_path: Path) -> None:
    voice = Voice(by_number)

    began(tmp_path / "r", voice)

    generated = Counter(case for case, _ in voice.asked)
    assert generated == {"c0": 1, "c1": 2, "c2": 3, "c3": 4, "c4": 5, "c5": 6, "c6": 6, "c7": 6}
    assert all(
        point in stopping_paths(StopRule(maximum=6, passes=1)) for point in counted(tmp_path / "r").values()
    )
    report = steelyard.report_run(tmp_path / "r")
    assert report.settings.stop_rule == FIRST_PASS
    assert report.subjects[0].pass_at_k[0].estimate.value == pytest.approx(1 / 8)  # only c0 passes at first


def test_what_the_rule_demands_anyway_is_generated_at_once(tmp_path: Path) -> None:
    voice = Voice(lambda _: "yes")

    began(tmp_path / "r", voice, "maximum=9,minimum=3,passes=2")

    assert Counter(voice.asked).total() == 3 * len(SET.cases)
    assert max(attempt for _, attempt in voice.asked) == 2


def test_an_interrupted_run_goes_on_where_each_case_was(tmp_path: Path) -> None:
    def interrupts(request: Request) -> str:
        if len(voice.asked) == 10:
            os.kill(os.getpid(), signal.SIGINT)
        return by_number(request)

    voice = Voice(interrupts, pause_s=0.05)
    began(tmp_path / "r", voice, max_concurrency=2)
    second = Voice(by_number)
    assert 0 < len(voice.asked) < 33

    ended = went_on(tmp_path / "r", second, set_with(FIRST_PASS))

    assert ended.is_complete
    assert len(voice.asked) + len(second.asked) == 33
    assert counted(tmp_path / "r")["c3"] == (4, 1)
    assert went_on(tmp_path / "r", Voice(by_number), set_with(FIRST_PASS)).progress.total.generated == 33


def test_a_case_left_short_by_our_own_errors_has_no_pass_at_k_until_it_is_resumed(tmp_path: Path) -> None:
    def fails(request: Request) -> str:
        if request.key.case == "c4" and request.key.attempt in {1, 4, 5}:
            raise ProviderError("too long", kind="rejected")
        return by_number(request)

    began(tmp_path / "r", Voice(fails))

    report = steelyard.report_run(tmp_path / "r")
    [short] = [case for case in report.cases if case.case == "c4"]
    assert (short.n, short.c, short.errored) == (3, 0, 3)
    assert short.pass_at_k[0].estimate.reason is Reason.OPTIONAL_STOPPING
    assert (
        report.subjects[0].pass_at_k[0].estimate.detail == "1 of 8 cases left before the stop rule ended them"
    )
    second = Voice(lambda _: "yes")
    went_on(tmp_path / "r", second, set_with(FIRST_PASS))
    assert second.asked == [("c4", 1)]
    assert counted(tmp_path / "r")["c4"] == (4, 1)
    assert steelyard.report_run(tmp_path / "r").subjects[0].pass_at_k[0].estimate.value == pytest.approx(
        1 / 8
    )


def test_a_provider_that_halts_does_not_keep_the_run_waiting(tmp_path: Path) -> None:
    def key_expires(request: Request) -> str:
        if request.key.attempt == 2:
            raise ProviderError("the key is wrong", kind="bad_key", is_fatal=True)
        return by_number(request)

    began(tmp_path / "r", Voice(key_expires))
    second = Voice(by_number)

    assert went_on(tmp_path / "r", second, set_with(FIRST_PASS)).is_complete
    assert counted(tmp_path / "r")["c7"] == (6, 0)


def test_answers_without_an_outcome_are_awaited_before_more_is_generated(tmp_path: Path) -> None:
    began(tmp_path / "r", Voice(by_number))
    store = open_run(tmp_path / "r").hold()
    store.outcomes.forget("case_id = 'c2'")
    voice = Voice(by_number)

    assert went_on(tmp_path / "r", voice, set_with(FIRST_PASS)).is_complete
    assert voice.asked == []


def test_as_many_samples_as_the_rule_generates_and_no_other_number(tmp_path: Path) -> None:
    assert plan_run(set_with(FIRST_PASS), RunOptions(models=("lab/m",), pass_k=(1, 3))).samples == 6
    with pytest.raises(UserError, match=r"`samples=4`.*maximum=6,passes=1"):
        plan_run(set_with(FIRST_PASS), RunOptions(models=("lab/m",), samples=4))


def test_the_rule_that_was_declared_first_holds_to_the_end(tmp_path: Path) -> None:
    plan = plan_run(set_with(FIRST_PASS), RunOptions(models=("lab/m",)))
    manifest = begin_run(plan, str(tmp_path / "r")).manifest

    later = extend_plan(manifest, set_with("maximum=9,failures=2"), RunOptions())

    assert (later.stop_rule, later.samples) == (FIRST_PASS, 6)
