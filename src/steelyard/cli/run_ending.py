"""Say how a run ended: where everything is, what is missing and why, and the next command to type."""

import shlex

from steelyard.cli.output import address_here
from steelyard.errors import InfrastructureError
from steelyard.model.units import NANO_USD
from steelyard.runner.draw.drawer import Why
from steelyard.runner.judge.replies import JudgeTally
from steelyard.runner.session import Ended
from steelyard.store.run.run_store import RunStore

INCOMPLETE = 4  # nobody is to blame: the money ran out, or the user stopped


def code_of(ended: Ended) -> int:
    """Return the exit code: 0 complete, 3 something of ours or a provider broke, 4 stopped short."""
    tally = ended.progress.tally
    if any(halt.why is Why.PROVIDER for halt in ended.halted.values()):
        return InfrastructureError.exit_code
    if tally.total("errored") and not tally.total("checked"):
        return InfrastructureError.exit_code
    return 0 if ended.is_complete else INCOMPLETE


def last_words(ended: Ended, store: RunStore) -> str:
    """Return what to tell the user at the end."""
    address, tally = address_here(store.place.address), ended.progress.tally
    errors = tally.errors()
    lines = [f"run {address}: {_counts(ended, store)}{_spent(ended)}"]
    if ended.was_stopped:
        lines.append("stopped: you pressed Ctrl-C; every answer that came is kept")
    for provider, halt in ended.halted.items():
        if halt.why is Why.BUDGET:
            cap = (ended.progress.budget.cap or 0) / NANO_USD
            lines.append(f"stopped: the cap of ${cap:g} is reached: {halt}")
        else:
            lines.append(f"stopped asking {provider}: {halt}")
    if not ended.is_complete:
        lines.append(f"missing: {_missing(ended, store)}")
    if errors:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in errors.most_common())
        lines.append(f"no evidence, since we broke: {kinds}")
    lines.append(f"next: {_next(ended, address, has_errors=bool(errors))}")
    return "\n".join(lines)


def _counts(ended: Ended, store: RunStore) -> str:
    tally = ended.progress.tally
    of = "of" if store.manifest.stop_rule is None else "of at most"
    drawn, planned, checked = (tally.total(name) for name in ("drawn", "planned", "checked"))
    return f"drawn {drawn:,} {of} {planned:,}, checked {checked:,}"


def _missing(ended: Ended, store: RunStore) -> str:
    tally = ended.progress.tally
    undrawn = tally.total("planned") - tally.total("drawn")
    unchecked = tally.total("drawn") - tally.total("ended")
    most = "" if store.manifest.stop_rule is None else "at most "
    said = [
        f"{most}{undrawn:,} not drawn" if undrawn else "",
        f"{unchecked:,} drawn and not checked" if unchecked else "",
    ]
    return ", ".join(filter(None, said)) or "nothing; the tables are not yet put in order"


def _next(ended: Ended, address: str, *, has_errors: bool) -> str:
    where = shlex.quote(address)
    if any(halt.why is Why.BUDGET for halt in ended.halted.values()):
        return f"steelyard run --resume {where} --max-usd MORE"
    if not ended.is_complete or has_errors:
        return f"steelyard run --resume {where}"
    return f"steelyard report {where}"


def _spent(ended: Ended) -> str:
    tally = ended.progress.tally
    spent, unpriced = tally.total("cost_nano_usd") / NANO_USD, tally.total("unpriced")
    judges = _judges(ended.progress.judges)
    if not spent and unpriced:
        return judges
    beside = f" (and {unpriced:,} answers of unknown price)" if unpriced else ""
    return f", spent ${spent:.4f}{beside}{judges}"


def _judges(tally: JudgeTally | None) -> str:
    if tally is None:
        return ""
    beside = f" (and {tally.unpriced:,} replies of unknown price)" if tally.unpriced else ""
    return f", on judges ${tally.cost_nano_usd / NANO_USD:.4f}{beside}"
