"""Start a run, or go on with it if it is there: the command that a scheduler may repeat."""

from pathlib import Path
from typing import NamedTuple, cast

from steelyard.app.config import ConfigSource
from steelyard.app.run_plan import RunArguments, execution_options, planned_run
from steelyard.app.validate import EvalSetSource
from steelyard.errors import InputError, UserError
from steelyard.model.run import Manifest
from steelyard.runner.exclusion import exclude_cases
from steelyard.runner.plan import RunPlan
from steelyard.store.run.run_store import is_run, open_run


def _is_begun(
    eval_set: EvalSetSource | None,
    address: str | Path | None,
    config: ConfigSource,
    arguments: RunArguments,
) -> bool:
    """Whether the run that these arguments plan is already there; one with another plan is an error."""
    if address is None:
        raise UserError("`or_resume` needs the address of the run: name it, so that it is found again")
    if not is_run(address):
        return False
    plan = planned_run(eval_set, store=None, config=config, **arguments).plan
    known = open_run(address).manifest
    if other := _differences(exclude_cases(plan, known.excluded), known):
        raise UserError(
            f"{address}: the run that is there has another plan: {', '.join(other)}; name another "
            f"address, or go on with it by `resume`"
        )
    return True


class AskedRun(NamedTuple):
    """What is asked for: a run by a set, or one that goes on."""

    eval_set: EvalSetSource | None
    resume: str | Path | None
    arguments: RunArguments


def same_or_new(
    asked: AskedRun, address: str | Path | None, config: ConfigSource, *, or_resume: bool
) -> AskedRun:
    """Return what is asked for; with `or_resume`, to go on with the run at the address if it was begun."""
    if asked.resume is not None:
        _require_one_place(address, or_resume=or_resume)
        if not is_run(asked.resume):
            raise InputError(
                f"{asked.resume}: there is no run here: run.json is missing. A run that was stopped before "
                f"it began is begun again by its first command."
            )
    elif or_resume and _is_begun(asked.eval_set, address, config, asked.arguments):
        return AskedRun(None, address, _to_go_on(asked.arguments))
    return asked


def _require_one_place(address: str | Path | None, *, or_resume: bool) -> None:
    """Refuse a second address: a run that goes on stays where it is."""
    if address is not None or or_resume:
        other = "`or_resume`" if address is None else "the other address"
        raise UserError(f"`resume` names the run already, which stays where it is; leave {other} out")


def _to_go_on(arguments: RunArguments) -> RunArguments:
    """Return the arguments without those that plan: the run keeps its own plan."""
    kept = execution_options(arguments)
    more = {"replay": arguments.get("replay"), "batch": arguments.get("batch", False)}
    return cast("RunArguments", {**kept, **more})


def _differences(plan: RunPlan, known: Manifest) -> list[str]:
    pairs = {
        "eval set": (plan.eval_set.digest, known.eval_set_digest),
        "models and tiers": (plan.subjects, known.subjects),
        "samples": ((plan.samples, plan.subject_samples), (known.planned_samples, known.subject_samples)),
        "shard": (plan.shard, known.shard),
        "k of pass@k": (plan.pass_k, known.pass_k),
        "recorded or drawn answers": (plan.recorded, known.recorded),
    }
    return [name for name, (now, then) in pairs.items() if now != then]
