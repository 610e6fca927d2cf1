"""Stored answers are checked again, all or none of them count, and whoever is killed can go on."""

from dataclasses import replace
from pathlib import Path

import pytest

import steelyard
from steelyard.app.view.run_view import RunView
from steelyard.errors import InputError, ProviderError
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet, SamplingPlan, Suite, Tier
from steelyard.model.regrade import RegradeResult
from steelyard.model.request import Request
from steelyard.model.viewing import CaseFilter, CaseOrder, CaseRow, Mark, PageRequest
from steelyard.runner.plan import RunOptions
from steelyard.runner.regrade.plan import plan_regrade
from steelyard.runner.regrade.regrade import regrade
from steelyard.runner.resources import RunResources
from steelyard.runner.resumed_plan import extend_plan
from steelyard.runner.session import extend_run
from steelyard.runner.settings import RunSettings
from steelyard.store.run.files import RunReader
from steelyard.store.run.regrade import apply as settling
from steelyard.store.run.regrade.apply import apply_pending_regrade
from steelyard.store.run.regrade.staged import CaseForm
from steelyard.store.run.run_store import RunStore, open_run
from steelyard.store.run.stored_set import read_stored_set
from steelyard.store.run.viewing.marks import add_mark, read_marks
from tests.runner.small_session import SAMPLES, SET, TOTAL, Voice, began, case, went_on

CHANGED = replace(SET, cases=(*SET.cases[:6], case("c6", exact="no"), case("c7", exact="no")))


def by_number(request: Request) -> str:
    return "no" if request.key.attempt == 0 else "yes"


def regraded(
    run: Path, wanted: EvalSet | None = None, *, every: bool = False, allow_errors: bool = False
) -> RegradeResult:
    store = apply_pending_regrade(open_run(run)).hold()
    stored = read_stored_set(store.location)
    planned = plan_regrade(store, wanted or stored, stored=stored, every=every)
    resources = RunResources(planned.eval_set, (), RunSettings())
    return regrade(store, planned, resources, progress=lambda _: None, allow_errors=allow_errors)


def passes(run: Path) -> dict[str, tuple[int, int]]:
    return {one.case: (one.n, one.c) for one in steelyard.report_run(run).cases}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A finished run: of each case the first answer is no, the others are yes."""
    began(tmp_path / "r", Voice(by_number))
    return tmp_path / "r"


def test_what_is_checked_as_it_would_be_now_is_left_alone(run: Path) -> None:
    before = steelyard.report_run(run)

    done = regraded(run)

    assert (done.checked, done.is_in_place) == (0, True)
    assert steelyard.report_run(run) == before
    assert not (run / "regrade").exists()


def test_every_answer_is_checked_again_on_demand(run: Path) -> None:
    done = regraded(run, every=True)

    assert done.checked == TOTAL
    assert not [one for one in done.changes if one.was != one.now]
    assert passes(run)["c0"] == (SAMPLES, SAMPLES - 1)


def test_answers_are_taken_over_by_the_new_form_of_a_case_and_checked_by_its_tests(run: Path) -> None:
    spent = steelyard.report_run(run).subjects[0].total_cost_usd.value

    done = regraded(run, CHANGED)

    assert done.checked == 2 * SAMPLES
    flips = {(one.case, one.was, one.now): one.samples for one in done.changes}
    assert flips == {
        (name, was, now): count
        for name in ("c6", "c7")
        for was, now, count in (("pass", "fail", SAMPLES - 1), ("fail", "pass", 1))
    }
    assert passes(run) == {f"c{number}": (SAMPLES, SAMPLES - 1 if number < 6 else 1) for number in range(8)}
    assert steelyard.report_run(run).subjects[0].total_cost_usd.value == spent
    store = open_run(run)
    assert read_stored_set(store.location).cases == CHANGED.cases
    assert sum(file.rows for file in store.samples.files()) == TOTAL
    assert sum(file.rows for file in store.outcomes.files()) == TOTAL
    # Nothing is left to generate, neither by the new set nor by the one that is kept with the run.
    voice = Voice()
    assert went_on(run, voice, CHANGED).is_complete
    assert voice.asked == []


@pytest.mark.check_all
def test_a_case_that_asks_something_else_now_keeps_its_answers_and_outcomes(run: Path) -> None:
    asks_anew = replace(CHANGED.cases[7], prompt="Say no.")
    wanted = replace(CHANGED, cases=(*CHANGED.cases[:7], asks_anew, case("c8")))
    store = open_run(run)

    planned = plan_regrade(store, wanted, stored=SET)
    regraded(run, wanted)

    assert (planned.changed_prompts, planned.new) == ((("default", "c7"),), (("default", "c8"),))
    assert passes(run)["c7"] == (SAMPLES, SAMPLES - 1)
    assert passes(run)["c6"] == (SAMPLES, 1)
    assert read_stored_set(store.location).cases == (*CHANGED.cases[:7], SET.cases[7])


def test_another_system_prompt_is_another_question(run: Path) -> None:
    planned = plan_regrade(open_run(run), replace(CHANGED, tiers=(Tier(system_prompt="Lie."),)), stored=SET)

    assert {name for _, name in planned.changed_prompts} == {"c6", "c7"}


@pytest.mark.check_all
def test_a_case_that_comes_back_to_an_earlier_form_counts_the_answers_that_it_has_there(run: Path) -> None:
    went_on(run, Voice(lambda _: "no"), CHANGED)  # generates c6 and c7 anew, in their new form
    assert passes(run)["c7"] == (SAMPLES, SAMPLES)

    done = regraded(run, SET)

    assert done.checked == 2 * SAMPLES
    assert passes(run)["c7"] == (SAMPLES, SAMPLES - 1)
    voice = Voice()
    assert went_on(run, voice, SET).is_complete
    assert voice.asked == []


@pytest.mark.check_all
def test_answers_can_be_generated_again_for_a_form_whose_answers_were_taken_over(tmp_path: Path) -> None:
    two, changed = (replace(one, cases=one.cases[6:]) for one in (SET, CHANGED))
    began(tmp_path / "r", Voice(by_number), two)
    regraded(tmp_path / "r", changed)
    voice = Voice()

    went_on(tmp_path / "r", voice, two)

    # The chunk has the name that it had before; it is taken, since the answers of then went elsewhere.
    assert len(voice.asked) == 2 * SAMPLES
    assert list(open_run(tmp_path / "r").pending()) == []
    assert passes(tmp_path / "r") == {"c6": (SAMPLES, SAMPLES), "c7": (SAMPLES, SAMPLES)}


STEPS = ("_replace_outcomes", "_move_samples", "write_eval_set", "_drop_outcomes", "clear")


@pytest.mark.check_all
@pytest.mark.parametrize("step", STEPS)
def test_whoever_is_killed_while_outcomes_are_put_in_place_loses_nothing(
    run: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(settling, step, killed)
        with pytest.raises(Killed):
            regraded(run, CHANGED)
    whole = {f"c{number}": (SAMPLES, SAMPLES - 1) for number in range(6)}
    # A reader sees of each case the old outcomes or the new ones.
    assert passes(run) in (
        {**whole, "c6": (SAMPLES, SAMPLES - 1), "c7": (SAMPLES, SAMPLES - 1)},
        {**whole, "c6": (SAMPLES, 1), "c7": (SAMPLES, 1)},
    )

    # Whoever goes on with the run finishes what was begun, and pays for nothing.
    voice = Voice()
    store = apply_pending_regrade(open_run(run))
    extend_run(store.hold(), extend_plan(store.manifest, read_stored_set(store.location), RunOptions()))
    went_on(run, voice, read_stored_set(store.location))

    assert voice.asked == []
    assert passes(run) == {**whole, "c6": (SAMPLES, 1), "c7": (SAMPLES, 1)}
    assert not (run / "regrade").exists()


@pytest.mark.check_all
def test_checks_that_were_made_before_an_interrupt_are_not_made_again(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(Exception):
        pass

    kept: list[int] = []
    real = RunStore.add_outcomes

    def dies_later(self: RunStore, checked: list[object], *, chunk: str) -> bool:
        if kept:
            raise Killed
        kept.append(len(checked))
        return real(self, checked, chunk=chunk)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(RunStore, "add_outcomes", dies_later)
        patch.setattr("steelyard.runner.batch_queue.COMMIT_ROWS", 7)
        with pytest.raises(Killed):
            regraded(run, every=True)
    assert kept == [7]
    assert passes(run)["c0"] == (SAMPLES, SAMPLES - 1)
    counted: list[int] = []

    def counts(self: RunStore, checked: list[object], *, chunk: str) -> bool:
        counted.append(len(checked))
        return real(self, checked, chunk=chunk)  # type: ignore[arg-type]

    monkeypatch.setattr(RunStore, "add_outcomes", counts)
    done = regraded(run, every=True)

    assert sum(counted) == TOTAL - 7
    assert done.checked == TOTAL


@pytest.mark.check_all
def test_other_work_begins_anew(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    def dies(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("steelyard.store.run.regrade.staging.Staging.apply", dies)
        with pytest.raises(Killed):
            regraded(run, CHANGED)

    assert regraded(run, every=True).checked == TOTAL
    assert passes(run)["c7"] == (SAMPLES, SAMPLES - 1)


def test_nothing_is_replaced_if_checks_break_that_did_not_before(run: Path) -> None:
    broken = Case(id="c7", language="text", prompt="c7")  # nothing is demanded of an answer: our own mistake
    wanted = replace(SET, cases=(*SET.cases[:7], broken))

    done = regraded(run, wanted)

    assert not done.is_in_place
    assert sum(one.samples for one in done.broken) == SAMPLES
    assert passes(run)["c7"] == (SAMPLES, SAMPLES - 1)
    assert regraded(run, wanted, allow_errors=True).is_in_place
    assert passes(run)["c7"] == (0, 0)


@pytest.mark.check_all
def test_a_run_that_a_stop_rule_ended_by_the_old_outcomes_is_not_mixed_up(tmp_path: Path) -> None:
    stops = replace(SET, sampling=SamplingPlan(stop_rule=f"maximum={SAMPLES},passes=1"))
    began(tmp_path / "r", Voice(by_number), stops)

    done = regraded(tmp_path / "r", replace(stops, cases=CHANGED.cases))

    assert not done.is_in_place
    assert passes(tmp_path / "r")["c7"] == (2, 1)


def test_a_run_without_answers_is_refused(tmp_path: Path) -> None:
    began(tmp_path / "r", Voice(), EvalSet(id="s", cases=(), suites=(Suite(id="default"),)))

    with pytest.raises(InputError, match="holds no answers"):
        plan_regrade(open_run(tmp_path / "r"), SET)


@pytest.mark.check_all
def test_a_run_that_came_without_its_set_is_checked_by_the_one_that_is_given(run: Path) -> None:
    (run / "eval-set.json").unlink()
    store = open_run(run).hold()
    planned = plan_regrade(store, CHANGED)

    done = regrade(store, planned, RunResources(CHANGED, (), RunSettings()), progress=lambda _: None)

    assert done.checked == 2 * SAMPLES
    assert read_stored_set(store.location) == CHANGED


@pytest.mark.check_all
def test_marks_stay_with_answers_that_a_new_form_takes_over(run: Path) -> None:
    def row_of_c7(view: RunView) -> CaseRow:
        rows = view.case_page(CaseFilter(), PageRequest(order=CaseOrder.NAME, size=50)).rows
        return next(row for row in rows if row.case == "c7")

    before = RunView("r", str(run), "r", RunReader(str(run)))
    before.mark(row_of_c7(before).key, 0, label="right", note="checked by hand")
    before.close()

    regraded(run, CHANGED)
    regraded(run, CHANGED, every=True)

    after = RunView("r", str(run), "r", RunReader(str(run)))
    [mark] = after.marks()
    assert (mark.key, mark.note) == (row_of_c7(after).key, "checked by hand")
    assert after.sample(mark.key, mark.attempt).text == "no"
    after.close()


def test_a_mark_stays_with_an_answer_that_stays_behind(run: Path) -> None:
    changed = replace(SET, cases=(*SET.cases[:7], case("c7", exact="no")))
    went_on(run, Voice(lambda _: "no"), changed)  # generates c7 anew: its first form keeps its own answers
    old = next(iter(open_run(run).superseded_keys()))
    mark = Mark(key=old, attempt=0, label="wrong", note="of the first form", author="a", at="now")
    add_mark(str(run), mark)

    store = open_run(run).hold()
    form = CaseForm(
        suite="default", case="c7", before=SET.cases[7].digest, now=changed.cases[7].digest, is_every=True
    )
    settling._repeat_marks(store, [form])

    assert list(read_marks(str(run))) == [mark]


@pytest.mark.check_all
def test_our_own_errors_are_counted_in_the_new_form_of_a_case_too(tmp_path: Path) -> None:
    def fails_once(request: Request) -> str:
        if request.key.attempt == 1:
            raise ProviderError("too long", kind="rejected")
        return by_number(request)

    began(tmp_path / "r", Voice(fails_once))
    before = steelyard.report_run(tmp_path / "r")

    regraded(tmp_path / "r", CHANGED, allow_errors=True)

    after = steelyard.report_run(tmp_path / "r")
    assert {one.case: one.errored for one in after.cases} == {one.case: 1 for one in before.cases}
    assert after.seen_samples == before.seen_samples == TOTAL
    voice = Voice()
    assert went_on(tmp_path / "r", voice, CHANGED).is_complete
    assert sorted(voice.asked) == sorted((one.id, 1) for one in CHANGED.cases)  # they are generated again
