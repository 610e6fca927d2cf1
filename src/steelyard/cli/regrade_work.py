"""Carry out a regrade: open the run, find out what to check, check it."""

from pathlib import Path
from typing import Any

import steelyard
from steelyard.cli.evalset import refuse_unchecked
from steelyard.cli.progress.watch import watching
from steelyard.cli.regrade_ending import Order, code_of, last_words
from steelyard.errors import InputError
from steelyard.model.evalset import EvalSet
from steelyard.providers.limiter import MOST
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.draw.retries import Retries
from steelyard.runner.regrade.plan import Regrading, planned_regrading
from steelyard.runner.regrade.regrade import regrade
from steelyard.runner.resources import RunSettings, Workshop
from steelyard.sources.config.read import read_config
from steelyard.store.run.regrade.apply import settle_begun
from steelyard.store.run.run_store import RunStore, open_run
from steelyard.store.run.stored_set import read_stored_set

__all__ = ["Order", "carried_out", "settings_of"]


def settings_of(path: Path | None, *, max_nano_usd: int | None, **told: Any) -> RunSettings:  # noqa: ANN401  # as RunSettings has them
    """Return how to check, with what the configuration says of judges that must be asked."""
    config = read_config(path)
    return RunSettings(
        providers=config.providers,
        prices=PriceList(config.prices, providers=config.providers),
        retries=Retries(most=config.limits.retries),
        max_concurrency=config.limits.max_concurrency or MOST,
        max_nano_usd=config.limits.max_nano_usd if max_nano_usd is None else max_nano_usd,
        **told,
    )


def carried_out(order: Order) -> tuple[int, str]:
    """Check again, and return the exit code and what to say."""
    store = settle_begun(open_run(order.address))
    planned = _planned(store, order)
    workshop = Workshop(planned.eval_set, (), order.settings)
    with watching(quiet=order.quiet) as watch:
        done = regrade(store.hold(), planned, workshop, watch=watch, allow_errors=order.allow_errors)
    return code_of(done), "\n".join(last_words(done, planned, store, order)) + "\n"


def _planned(store: RunStore, order: Order) -> Regrading:
    if order.eval_set is None:
        known = read_stored_set(store.place)
        return planned_regrading(store, known, stored=known, every=order.every)
    wanted = steelyard.read_eval_set(order.eval_set)
    refuse_unchecked(wanted)
    return planned_regrading(store, wanted, stored=_stored(store), every=order.every)


def _stored(store: RunStore) -> EvalSet | None:
    try:
        return read_stored_set(store.place)
    except InputError:  # a run that came without its set
        return None
