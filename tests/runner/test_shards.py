"""A shard is a part of a plan, and everything else in it is planned for the whole."""

from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet, Suite
from steelyard.runner.plan import RunOptions, plan_run
from steelyard.runner.selection import take_shard

MIXED = EvalSet(
    id="mixed",
    cases=tuple(Case(id=f"{number}", language="rust" if number % 2 else "text") for number in range(5)),
    suites=(Suite(id="default"),),
)


def test_cases_are_dealt_out_in_turn() -> None:
    plan = plan_run(MIXED, RunOptions(models=("lab/m",)))

    parts = [[case.case for case in take_shard(plan, f"{index}/2").cases] for index in (1, 2)]

    assert parts == [["0", "2", "4"], ["1", "3"]]


def test_all_shards_are_scored_by_the_rule_of_the_whole() -> None:
    plan = plan_run(MIXED, RunOptions(models=("lab/m",)))

    rules = {take_shard(plan, f"{index}/2").scoring.name for index in (1, 2)}

    assert rules == {plan.scoring.name} == {"accuracy"}
