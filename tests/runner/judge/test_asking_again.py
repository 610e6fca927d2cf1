"""A kept reply answers only the question that the judge was asked; any other question is asked."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from steelyard.app.report import report_run
from steelyard.model.evalset import EvalSet
from steelyard.model.regrade import RegradeResult
from steelyard.model.request import Parameters
from steelyard.model.sample import without_terms
from steelyard.runner.regrade.plan import plan_regrade
from steelyard.runner.regrade.regrade import regrade
from steelyard.runner.resources import RunResources
from steelyard.runner.settings import RunSettings
from steelyard.store.run.location import location_of
from steelyard.store.run.replies import ReplyFiles
from steelyard.store.run.run_store import open_run
from steelyard.store.run.stored_set import read_stored_set
from tests.runner.judge.judged_session import CASES, PLAN, SAMPLES, SET, Company, began

TOTAL = CASES * SAMPLES


def with_parameters(**parameters: float) -> EvalSet:
    return replace(SET, judge=replace(PLAN, parameters=Parameters(**parameters)))  # type: ignore[arg-type]


COLD, WARM = with_parameters(temperature=0.0), with_parameters(temperature=1.0)


def regraded(run: Path, company: Company, wanted: EvalSet, *, every: bool = False) -> RegradeResult:
    store = open_run(run).hold()
    planned = plan_regrade(store, wanted, stored=read_stored_set(store.location), every=every)
    resources = RunResources(planned.eval_set, (), RunSettings(instead=company))
    return regrade(store, planned, resources, progress=lambda _: None)


def temperatures(company: Company) -> Sequence[float | None]:
    return [request.parameters.temperature for request in company.judged]


def as_an_earlier_version_kept_it(run: Path) -> None:
    """Write the replies under keys without rules and parameters."""
    files = ReplyFiles(location_of(run))
    kept = [(without_terms(key), reply) for key, reply in files.read().items()]
    for path in (run / "judges").iterdir():
        path.unlink()
    files.add(kept)


def test_other_parameters_are_another_question_to_the_judge(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(), COLD)
    company = Company(lambda _: 1)

    done = regraded(tmp_path / "r", company, WARM)

    assert (done.checked, done.is_in_place) == (TOTAL, True)
    assert temperatures(company) == [1.0] * TOTAL
    assert report_run(tmp_path / "r").subjects[0].spreads.impl_rate.mean == 1


def test_a_judge_that_may_write_more_is_asked_again(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(lambda _: "cut off"), with_parameters(max_tokens=9))

    regraded(tmp_path / "r", Company(), with_parameters(max_tokens=900))

    assert report_run(tmp_path / "r").subjects[0].spreads.impl_rate.mean == 0.5


def test_parameters_that_were_asked_before_are_not_paid_for_twice(tmp_path: Path) -> None:
    company = Company()
    began(tmp_path / "r", company, COLD)
    regraded(tmp_path / "r", company, WARM)

    regraded(tmp_path / "r", company, COLD)
    regraded(tmp_path / "r", company, COLD, every=True)

    assert sorted(map(str, temperatures(company))) == ["0.0"] * TOTAL + ["1.0"] * TOTAL


def test_replies_of_an_earlier_version_are_found_where_the_parameters_are_the_same(tmp_path: Path) -> None:
    began(tmp_path / "r", Company(), COLD)
    as_an_earlier_version_kept_it(tmp_path / "r")
    company = Company()

    regraded(tmp_path / "r", company, COLD, every=True)
    assert company.judged == []

    regraded(tmp_path / "r", company, WARM)
    regraded(tmp_path / "r", company, WARM, every=True)
    assert temperatures(company) == [1.0] * TOTAL
