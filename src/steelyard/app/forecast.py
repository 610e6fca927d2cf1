"""Forecast a run's samples, duration and cost without calling models."""

from pathlib import Path
from typing import Unpack

from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.run_plan import PlannedRun, RunRequest, plan_request
from steelyard.app.settings import ConfigSource, RunArguments, require_keywords
from steelyard.app.validate import EvalSetSource
from steelyard.model.forecast import RunForecast
from steelyard.runner.forecast import Earlier, forecast
from steelyard.store.run.pace import run_paces
from steelyard.store.run.run_store import open_run as open_store


def forecast_run(  # noqa: PLR0913  # as in `run`
    eval_set: EvalSetSource | None = None,
    *,
    resume: RunAddress | None = None,
    address: str | Path | None = None,
    or_resume: bool = False,
    config: ConfigSource = None,
    like: RunAddress | None = None,
    **arguments: Unpack[RunArguments],
) -> RunForecast:
    """Forecast what `run` would do with the same arguments: answers, tokens, cost and time.

    No key, sandbox or toolchain is needed, and nothing is written.

    Args:
        eval_set: As for `run`, and so are `resume`, `address`, `or_resume`, `config` and `arguments`.
        like: An earlier run whose answers give length, price and speed. Default: the resumed run.
    """
    require_keywords(arguments, RunArguments.__optional_keys__, of="forecast_run")
    planned = plan_request(
        RunRequest(
            eval_set=eval_set,
            resume=None if resume is None else address_of(resume),
            address=address,
            or_resume=or_resume,
            config=config,
            arguments=arguments,
        )
    )
    return forecast_of(planned, like=None if like is None else address_of(like))


def forecast_of(planned: PlannedRun, *, like: str | Path | None = None) -> RunForecast:
    """Forecast the rest of a plan."""
    store = planned.store
    model_run = store if like is None else open_store(like)
    earlier = (
        None
        if model_run is None
        else Earlier(address=str(like or model_run.location.address), paces=run_paces(model_run))
    )
    return forecast(
        planned.plan,
        planned.settings,
        all_cases=planned.all_cases,
        done={} if store is None else store.case_progress(),
        earlier=earlier,
        batch=planned.batch,
    )
