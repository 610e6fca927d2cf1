"""Reject `batch` for plans that it does not support."""

from steelyard.errors import UserError
from steelyard.model.config import ProviderSettings
from steelyard.plugins import BATCHES
from steelyard.runner.plan import RunPlan
from steelyard.runner.requests import provider_name
from steelyard.runner.settings import RunSettings
from steelyard.store.run.batches import BatchFiles
from steelyard.store.run.run_store import RunStore

HAVE_BATCHES = f"there are batches of {', '.join(BATCHES)}"


def require_batchable(plan: RunPlan, settings: RunSettings) -> None:
    """Raise UserError if a plan cannot use batches."""
    if settings.instead is not None:
        raise UserError("`batch` and `replay` do not go together: recorded answers cost nothing")
    if settings.engine != "local":
        raise UserError(f"`batch` and `engine={settings.engine}` do not go together; leave out one of them")
    if plan.eval_set.sampling.feedback:
        raise UserError(
            "`batch`: tries of this set get feedback on the previous one, and a batch generates all at once"
        )
    if plan.stop_rule is not None:
        raise UserError(
            f"`batch`: the stop rule {plan.stop_rule} needs each outcome, and a batch generates all at once"
        )
    agents = {tier.id for tier in plan.eval_set.tiers if tier.agent}
    for subject in plan.subjects:
        if subject.tier in agents:
            raise UserError(f"`batch`: tier {subject.tier} is answered by an agent; {HAVE_BATCHES}")
        _require_interface(provider_name(subject.model), settings)


def _require_interface(provider: str, settings: RunSettings) -> None:
    kind = settings.providers.get(provider, ProviderSettings(name=provider)).adapter
    if kind not in BATCHES:
        named = provider if kind == provider else f"{provider} ({kind})"
        raise UserError(f"`batch`: {named} has no batch interface; {HAVE_BATCHES}")


def require_no_open_batches(store: RunStore, words: str) -> None:
    """Raise UserError if answers of the run are still in batches."""
    if BatchFiles(store.location).read():
        raise UserError(
            f"{store.location.address}: some answers of this run are still in batches, so {words}; "
            f"resume the run first to collect them"
        )
