"""Check a run's stored answers again after a test or checker changed."""

import warnings
from typing import Unpack

from steelyard.app.run import Notify, ignore_progress
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.settings import ConfigSource, ExecutionOptions, load_config, require_keywords, run_settings
from steelyard.app.validate import EvalSetSource, load_eval_set
from steelyard.errors import InputError
from steelyard.model.evalset import EvalSet
from steelyard.model.progress import ProgressCallback
from steelyard.model.regrade import RegradeSummary
from steelyard.runner.batch.refusals import require_no_open_batches
from steelyard.runner.regrade.plan import RegradePlan, plan_regrade
from steelyard.runner.regrade.regrade import regrade as check_again
from steelyard.runner.resources import RunResources
from steelyard.store.run.regrade.apply import apply_pending_regrade
from steelyard.store.run.run_store import RunStore, open_run
from steelyard.store.run.stored_set import read_stored_set


def regrade(  # noqa: PLR0913  # one parameter for each option of the command
    address: RunAddress,
    *,
    eval_set: EvalSetSource | None = None,
    every: bool = False,
    allow_errors: bool = False,
    config: ConfigSource = None,
    progress: ProgressCallback | None = None,
    notify: Notify = warnings.warn,
    **execution: Unpack[ExecutionOptions],
) -> RegradeSummary:
    """Check a run's stored answers again by `eval_set`, by default the set stored with the run.

    The new outcomes replace the old ones once all checks are done.

    Args:
        address: The run.
        eval_set: The set with the current tests.
        every: Also check answers whose check is up to date.
        allow_errors: Replace outcomes even if a check newly fails for infrastructure reasons, or if an answer
            loses its score or judge rating.
        config: Providers, prices and defaults.
        progress: Called with the progress.
        notify: Called with a message before packages are installed.
        execution: Fields of `ExecutionOptions`; `max_usd` limits the cost of judges over all sessions.
    """
    require_keywords(execution, ExecutionOptions.__optional_keys__, of="regrade")
    settings = run_settings(load_config(config), **execution)
    store = apply_pending_regrade(open_run(address_of(address)))
    if eval_set is not None:
        require_no_open_batches(store, "they cannot be checked by another set")
    plan = planned_regrade(store, eval_set, every=every)
    resources = RunResources(plan.eval_set, (), settings, notify=notify)
    outcome = check_again(
        store.hold(), plan, resources, progress=progress or ignore_progress, allow_errors=allow_errors
    )
    return RegradeSummary(
        address=store.location.address,
        result=outcome,
        changed_cases=sum(form.has_moved for form in plan.forms),
        changed_prompts=plan.changed_prompts,
        new=plan.new,
    )


def planned_regrade(store: RunStore, source: EvalSetSource | None, *, every: bool = False) -> RegradePlan:
    """Plan checks by an eval set, or by the set stored with the run."""
    if source is None:
        eval_set = read_stored_set(store.location)
        return plan_regrade(store, eval_set, stored=eval_set, every=every)
    return plan_regrade(store, load_eval_set(source), stored=_read_stored_set(store), every=every)


def _read_stored_set(store: RunStore) -> EvalSet | None:
    try:
        return read_stored_set(store.location)
    except InputError:  # the run was stored without its set
        return None
