"""Forecast a run's samples, duration and cost without calling models."""

from pathlib import Path
from typing import Unpack

from steelyard.app.config import ConfigSource
from steelyard.app.keywords import require_keywords
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.run_plan import PlannedRun, RunArguments, planned_run
from steelyard.app.same_run import RunRequest, same_or_new
from steelyard.app.validate import EvalSetSource
from steelyard.model.forecast import RunForecast
from steelyard.runner.forecast import Earlier, forecast
from steelyard.store.run.pace import run_paces
from steelyard.store.run.run_store import open_run as open_store


def forecast_run(  # noqa: PLR0913  # as of `run`
    eval_set: EvalSetSource | None = None,
    *,
    resume: RunAddress | None = None,
    address: str | Path | None = None,
    or_resume: bool = False,
    config: ConfigSource = None,
    like: RunAddress | None = None,
    **arguments: Unpack[RunArguments],
) -> RunForecast:
    """Return what `run` would do with the same arguments: answers, tokens, and an estimate of cost and time.

    `like` is the address of an earlier run, whose answers say how long, how dear and how quick answers are; a
    run that is resumed says it of itself. No key, sandbox or toolchain is needed.
    """
    require_keywords(arguments, RunArguments.__optional_keys__, of="forecast_run")
    request = RunRequest(eval_set, None if resume is None else address_of(resume), arguments)
    eval_set, going_on, arguments = same_or_new(request, address, config, or_resume=or_resume)
    # An interrupted regrade stays as it is: a forecast writes nothing.
    store = None if going_on is None else open_store(going_on)
    planned = planned_run(eval_set, store=store, config=config, **arguments)
    return forecast_of(planned, like=None if like is None else address_of(like))


def forecast_of(planned: PlannedRun, *, like: str | Path | None = None) -> RunForecast:
    """Forecast the rest of a plan."""
    store = planned.store
    known = store if like is None else open_store(like)
    earlier = (
        None
        if known is None
        else Earlier(address=str(like or known.location.address), paces=run_paces(known))
    )
    return forecast(
        planned.plan,
        planned.settings,
        all_cases=planned.all_cases,
        done={} if store is None else store.case_progress(),
        earlier=earlier,
        batch=planned.batch,
    )
