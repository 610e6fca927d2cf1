"""A session completes a run, or stops with a reason, loses nothing, and can be resumed."""

from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.errors import ProviderError, StoreError, UserError
from steelyard.model.case import Case
from steelyard.model.config import ProviderSettings
from steelyard.model.progress import StopCause
from steelyard.model.request import Parameters, Request
from steelyard.runner.generate.retries import Retries
from steelyard.runner.plan import RunOptions, plan_run
from steelyard.runner.resources import RunResources
from steelyard.runner.session import begin_run, execute
from steelyard.runner.settings import RunSettings
from steelyard.store.run.run_store import RunStore, open_run
from tests.runner.small_session import (
    PRICED,
    SAMPLES,
    SET,
    TOTAL,
    Voice,
    began,
    case,
    plan_of,
    resources,
    went_on,
)


def test_everything_planned_is_generated_once_and_checked(tmp_path: Path) -> None:
    voice = Voice(lambda request: "yes" if request.key.attempt else "no")

    store, ended = began(tmp_path / "r", voice)

    [subject] = ended.progress.subjects.values()
    assert ended.is_complete
    assert sorted(voice.asked) == sorted((one.id, n) for one in SET.cases for n in range(SAMPLES))
    assert (subject.generated, subject.checked, subject.passed) == (TOTAL, TOTAL, TOTAL - len(SET.cases))
    assert subject.cost_nano_usd == TOTAL * 1_000
    assert list(store.pending()) == []


def test_who_looks_on_sees_the_end(tmp_path: Path) -> None:
    plan, seen = plan_of(), []
    store = begin_run(plan, str(tmp_path / "r"))

    execute(
        store,
        SET,
        resources(Voice(), plan),
        progress=lambda progress: seen.append(progress.total.checked),
    )

    assert seen == sorted(seen)
    assert seen[-1] == TOTAL


def test_a_run_without_an_address_lies_below_the_root_by_its_id(tmp_path: Path) -> None:
    store = begin_run(plan_of(), None, root=str(tmp_path / "runs"))

    assert store.location.address == str(tmp_path / "runs" / store.manifest.id)


def test_our_own_errors_are_no_evidence_and_are_generated_again(tmp_path: Path) -> None:
    def fails_first(request: Request) -> str:
        if request.key.case == "c3":
            raise ProviderError("too long", kind="rejected")
        return "yes"

    _, ended = began(tmp_path / "r", Voice(fails_first))
    assert ended.is_complete
    assert dict(ended.progress.total.errors) == {"rejected": SAMPLES}
    assert ended.progress.total.checked == TOTAL - SAMPLES

    voice = Voice()
    again = went_on(tmp_path / "r", voice)

    assert voice.asked == [("c3", attempt) for attempt in range(SAMPLES)]
    assert again.progress.total.checked == TOTAL


def test_a_wrong_key_stops_the_run_and_what_was_generated_is_kept(tmp_path: Path) -> None:
    def key_expires(request: Request) -> str:
        if request.key.case == "c5":
            raise ProviderError("the key is wrong", kind="bad_key", is_fatal=True)
        return "yes"

    store, ended = began(tmp_path / "r", Voice(key_expires), max_concurrency=1)

    assert not ended.is_complete
    assert ended.stopped["lab"].cause is StopCause.PROVIDER
    generated = ended.progress.total.generated
    assert generated == ended.progress.total.checked == 5 * SAMPLES

    voice = Voice()
    assert went_on(tmp_path / "r", voice).is_complete
    assert len(voice.asked) == TOTAL - generated
    assert list(store.pending()) == []


def test_the_budget_ends_a_run_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    voice = Voice(cost=10**9)

    _, ended = began(tmp_path / "r", voice, max_nano_usd=7 * 10**9, allow_unpriced=True, max_concurrency=1)

    assert ended.stopped["lab"].cause is StopCause.BUDGET
    assert ended.progress.spent_nano_usd == 7 * 10**9
    assert went_on(tmp_path / "r", Voice()).is_complete


def test_what_was_spent_in_vain_counts_against_the_cap_of_a_resumed_run_too(tmp_path: Path) -> None:
    def broken(request: Request) -> str:
        if request.key.attempt:
            return "yes"
        raise ProviderError("cut off in the middle", kind="connection", may_be_billed=True)

    once, much = Retries(most=0), 10**12
    _, ended = began(tmp_path / "r", Voice(broken), prices=PRICED, retries=once, max_nano_usd=much)
    in_vain = ended.progress.spent_nano_usd - ended.progress.total.cost_nano_usd
    again = went_on(tmp_path / "r", Voice(broken), prices=PRICED, retries=once, max_nano_usd=much)

    assert in_vain > 0
    assert again.progress.spent_nano_usd - again.progress.total.cost_nano_usd == 2 * in_vain


def test_a_price_that_nobody_knows_is_refused_before_anything_is_asked() -> None:
    plan = plan_of()
    here = {"lab": ProviderSettings(name="lab", kind="ollama", base_url="http://127.0.0.1:9/v1")}
    with pytest.raises(UserError, match="lab/m"):
        RunResources(SET, plan.subjects, RunSettings(max_nano_usd=1, providers=here))


def test_a_misspelt_provider_is_told_as_such_and_not_as_one_without_a_price() -> None:
    with pytest.raises(UserError, match="'lab'"):
        RunResources(SET, plan_of().subjects, RunSettings(max_nano_usd=1))


def test_a_parameter_that_an_agent_never_sees_is_refused_before_it_is_asked() -> None:
    plan = plan_run(SET, RunOptions(models=("lab/m",), parameters=Parameters(temperature=0.8)))

    def made(**options: str) -> RunResources:
        here = {"lab": ProviderSettings(name="lab", kind="command", options={"command": "true", **options})}
        return RunResources(SET, plan.subjects, RunSettings(providers=here))

    with pytest.raises(UserError, match="temperature"):
        made()
    made(ignore="temperature")


def test_an_engine_that_cannot_carry_out_a_run_is_refused() -> None:
    with pytest.raises(UserError, match="`engine=rai`"):
        resources(Voice(), plan_of(), engine="rai")


def test_a_model_without_a_provider_is_refused() -> None:
    plan = plan_run(SET, RunOptions(models=("gpt",)))
    with pytest.raises(UserError, match="name it provider/name"):
        RunResources(SET, plan.subjects, RunSettings())


def test_a_store_that_cannot_be_written_stops_the_run_with_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> bool:
        raise StoreError("the disk is full")

    monkeypatch.setattr(RunStore, "add_samples", full)
    with pytest.raises(StoreError, match=r"disk.*full"):
        began(tmp_path / "r", Voice())


def test_more_samples_are_generated_of_a_run_that_was_finished(tmp_path: Path) -> None:
    began(tmp_path / "r", Voice())
    voice = Voice()

    ended = went_on(tmp_path / "r", voice, wishes=RunOptions(samples=SAMPLES + 2))

    assert sorted({attempt for _, attempt in voice.asked}) == [SAMPLES, SAMPLES + 1]
    assert ended.progress.total.checked == TOTAL + 2 * len(SET.cases)


def test_a_changed_case_is_generated_anew_and_the_old_form_does_not_count(tmp_path: Path) -> None:
    began(tmp_path / "r", Voice())
    changed = replace(SET, cases=(*SET.cases[:-1], case("c7", exact="no")))
    voice = Voice()

    ended = went_on(tmp_path / "r", voice, changed)

    assert {name for name, _ in voice.asked} == {"c7"}
    assert open_run(tmp_path / "r").manifest.eval_set_digest == changed.digest != SET.digest
    [subject] = ended.progress.subjects.values()
    assert (subject.checked, subject.passed) == (TOTAL, TOTAL - SAMPLES)


def test_answers_that_were_never_checked_are_checked_first(tmp_path: Path) -> None:
    store, _ = began(tmp_path / "r", Voice())
    assert store.outcomes.forget("case_id = 'c2'") == SAMPLES
    voice = Voice()

    ended = went_on(tmp_path / "r", voice)

    assert voice.asked == []
    assert ended.progress.total.checked == TOTAL


def test_a_checker_that_breaks_costs_an_outcome_and_not_the_run(tmp_path: Path) -> None:
    broken = replace(SET, cases=(*SET.cases, Case(id="bad", language="text", prompt="?")))

    _, ended = began(tmp_path / "r", Voice(), broken)

    assert dict(ended.progress.total.errors) == {"check": SAMPLES}
    assert ended.progress.total.checked == TOTAL
