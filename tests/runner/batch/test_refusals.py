"""Plans that no batch can generate are refused, and the message says why."""

from dataclasses import replace

import pytest

from steelyard.errors import UserError
from steelyard.model.case import Case
from steelyard.model.config import ProviderSettings
from steelyard.model.evalset import EvalSet, SamplingPlan, Suite, Tier
from steelyard.runner.batch.refusals import require_batchable
from steelyard.runner.plan import RunOptions, RunPlan, plan_run
from steelyard.runner.settings import RunSettings

CASE = Case(id="add", language="rust", prompt="Add.")
SET = EvalSet(id="sums", cases=(CASE,), suites=(Suite(id="default"),), tiers=(Tier(id="T0"),))
RULE = "maximum=3,passes=1"
AGENT = Tier(id="T1", command="robot {prompt}")


def planned(eval_set: EvalSet = SET, model: str = "openai/m") -> RunPlan:
    return plan_run(eval_set, RunOptions(models=(model,)))


def test_a_plan_of_vendors_with_batches_is_taken() -> None:
    own = {"mine": ProviderSettings(name="mine", kind="google")}

    require_batchable(planned(), RunSettings())
    require_batchable(planned(model="anthropic/m"), RunSettings())
    require_batchable(planned(model="mine/m"), RunSettings(providers=own))


@pytest.mark.parametrize(
    ("plan", "settings", "said"),
    [
        (planned(), RunSettings(engine="ray"), "engine=ray"),
        (planned(replace(SET, sampling=SamplingPlan(stop_rule=RULE))), RunSettings(), "the stop rule"),
        (
            planned(replace(SET, sampling=SamplingPlan(stop_rule=RULE, feedback=True))),
            RunSettings(),
            "feedback",
        ),
        (planned(replace(SET, tiers=(AGENT,))), RunSettings(), "answered"),
        (
            planned(model="azure/m"),
            RunSettings(),
            "interface",
        ),
        (
            planned(model="robot/m"),
            RunSettings(providers={"robot": ProviderSettings(name="robot", kind="command")}),
            "interface",
        ),
    ],
)
def test_other_plans_are_refused(plan: RunPlan, settings: RunSettings, said: str) -> None:
    with pytest.raises(UserError, match=said):
        require_batchable(plan, settings)
