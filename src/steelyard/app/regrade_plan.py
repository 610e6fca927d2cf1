"""Find which answers of a run are answers to the cases of an eval set as it is now."""

from steelyard.app.validate import EvalSetSource, load_eval_set
from steelyard.errors import InputError
from steelyard.model.evalset import EvalSet
from steelyard.runner.regrade.plan import RegradePlan, plan_regrade
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.stored_set import read_stored_set


def planned_regrade(store: RunStore, source: EvalSetSource | None, *, every: bool = False) -> RegradePlan:
    """Return what can be checked by an eval set, or by the one kept with the run."""
    if source is None:
        known = read_stored_set(store.location)
        return plan_regrade(store, known, stored=known, every=every)
    return plan_regrade(store, load_eval_set(source), stored=_stored_set(store), every=every)


def _stored_set(store: RunStore) -> EvalSet | None:
    try:
        return read_stored_set(store.location)
    except InputError:  # a run that came without its set
        return None
