"""Start or resume a run, so that schedulers can repeat the command."""

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
    """Whether the planned run exists; raise an error if it has another plan."""
    if address is None:
        raise UserError("`or_resume` needs the address of the run: name it, so that it is found again")
    if not is_run(address):
        return False
    plan = planned_run(eval_set, store=None, config=config, **arguments).plan
    manifest = open_run(address).manifest
    if other := _differences(exclude_cases(plan, manifest.excluded), manifest):
        raise UserError(
            f"{address}: the run that is there has another plan: {', '.join(other)}; name another "
            f"address, or go on with it by `resume`"
        )
    return True


class RunRequest(NamedTuple):
    """A request for a new run of a set, or for resuming one."""

    eval_set: EvalSetSource | None
    resume: str | Path | None
    arguments: RunArguments


def same_or_new(
    asked: RunRequest, address: str | Path | None, config: ConfigSource, *, or_resume: bool
) -> RunRequest:
    """Return what is asked for; with `or_resume`, to go on with the run at the address if it was begun."""
    if asked.resume is not None:
        _require_one_place(address, or_resume=or_resume)
        if not is_run(asked.resume):
            raise InputError(
                f"{asked.resume}: there is no run here: run.json is missing. A run that was stopped before "
                f"it began is begun again by its first command."
            )
    elif or_resume and _is_begun(asked.eval_set, address, config, asked.arguments):
        return RunRequest(None, address, _to_go_on(asked.arguments))
    return asked


def _require_one_place(address: str | Path | None, *, or_resume: bool) -> None:
    """Reject a second address: a resumed run keeps its address."""
    if address is not None or or_resume:
        other = "`or_resume`" if address is None else "the other address"
        raise UserError(f"`resume` names the run already, which stays where it is; leave {other} out")


def _to_go_on(arguments: RunArguments) -> RunArguments:
    """Drop planning arguments: a resumed run keeps its plan."""
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
        "recorded or generated answers": (plan.recorded, known.recorded),
    }
    return [name for name, (now, then) in pairs.items() if now != then]
