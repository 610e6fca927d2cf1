"""Let agents answer the cases of an eval set."""

from collections.abc import Sequence
from dataclasses import replace

from steelyard.errors import UserError
from steelyard.model.evalset import EvalSet, Tier
from steelyard.model.run import Subject
from steelyard.runner.tasks.provider import WITHOUT_MODEL

NO_MODEL = "none"  # the name of the model of an agent that needs none


def with_agents(eval_set: EvalSet, agents: Sequence[str]) -> EvalSet:
    """Return the set with a tier for each agent instead of its own tiers."""
    if not agents:
        return eval_set
    if eval_set.tiers != (Tier(),):
        raise UserError(f"{eval_set.id} has tiers: name the agent there as `provider`, or leave `agents` out")
    tiers = tuple(Tier(id=name, provider=name) for name in agents)
    subjects = tuple(Subject(model=f"{name}/{NO_MODEL}", tier=name) for name in agents)
    return replace(
        eval_set, tiers=tiers, subjects=subjects if WITHOUT_MODEL.keys() >= set(agents) else eval_set.subjects
    )
