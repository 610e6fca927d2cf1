"""Check the stored answers of a run again, after a test or a checker changed; nothing is drawn."""

import warnings
from typing import Unpack

from steelyard.app.config import ConfigSource, load_config
from steelyard.app.keywords import require_keywords
from steelyard.app.regrade_plan import planned_regrade
from steelyard.app.run import Notify, ignore_progress
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.settings import ExecutionOptions, run_settings
from steelyard.app.validate import EvalSetSource
from steelyard.model.progress import ProgressCallback
from steelyard.model.regrade import RegradeSummary
from steelyard.runner.batch.refusals import require_no_open_batches
from steelyard.runner.regrade.regrade import regrade as check_again
from steelyard.runner.resources import RunResources
from steelyard.store.run.regrade.apply import apply_pending_regrade
from steelyard.store.run.run_store import open_run


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
    """Check the answers of a run again by `eval_set`, or by the set kept with the run.

    With `every`, also those that were checked in the same way before. The new outcomes replace the old ones
    when all of them are there. None is replaced if checks break that did not before, or if an answer loses
    its score or judged rating, unless `allow_errors`. `execution` are those of `ExecutionOptions`;
    `max_usd` limits what the judges of the run cost in all its sessions. `notify` gets a message before
    packages are installed.
    """
    require_keywords(execution, ExecutionOptions.__optional_keys__, of="regrade")
    settings = run_settings(load_config(config), **execution)
    store = apply_pending_regrade(open_run(address_of(address)))
    if eval_set is not None:
        require_no_open_batches(store, "they cannot be checked by another set")
    plan = planned_regrade(store, eval_set, every=every)
    resources = RunResources(plan.eval_set, (), settings, notify=notify)
    result = check_again(
        store.hold(), plan, resources, progress=progress or ignore_progress, allow_errors=allow_errors
    )
    return RegradeSummary(
        address=store.location.address,
        result=result,
        changed_cases=sum(form.has_moved for form in plan.forms),
        asked_anew=plan.asked_anew,
        new=plan.new,
    )
