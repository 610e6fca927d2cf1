"""Summarise the end of a run: counts and cost, what is missing and why, the next command."""

import shlex
from collections import Counter

from steelyard.errors import NOT_RECORDED
from steelyard.model.progress import JudgeSpend, RunProgress, RunResult, StopCause
from steelyard.model.units import NANO_USD
from steelyard.render.numbers import plain_usd
from steelyard.render.run_progress import unusual_checks
from steelyard.render.words import counted


def run_summary(result: RunResult, address: str, *, again: str = "") -> str:
    """Return the summary of a run.

    Args:
        result: The result of the run.
        address: The run as the user names it.
        again: Options that a command to resume the run must repeat.
    """
    errors = Counter(result.progress.total.errors)
    lines = [f"run {address}: {_counts(result.progress)}{_spent(result.progress)}"]
    if result.was_stopped:
        lines.append("stopped by Ctrl-C; all answers so far are kept")
    for provider, reason in result.stopped.items():
        if reason.cause is StopCause.BUDGET:
            cap = (result.progress.max_nano_usd or 0) / NANO_USD
            lines.append(f"stopped: the budget of {plain_usd(cap)} is used up: {reason.message}")
            if not result.progress.total.generated:
                lines.append("no call was made: lower --max-tokens, or raise --max-usd")
        elif reason.cause is StopCause.MODEL:
            near = f" Is it {reason.near}?" if reason.near else ""
            lines.append(f"stopped: {provider} does not know the model {reason.model}.{near}")
            lines.append(f"its message: {reason.message}")
        else:
            lines.append(f"stopped calling {provider}: {reason.message}")
    if not result.is_complete:
        lines.append(f"missing: {_missing(result.progress)}")
    if errors:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in errors.most_common())
        excluded = counted(errors.total(), "sample")
        lines.append(f"{excluded} excluded (infrastructure errors): {kinds}")
        error_messages = result.progress.total.error_messages
        lines += [
            f"  {kind}: {error_messages[kind]}"
            for kind, _ in errors.most_common()
            if error_messages.get(kind)
        ]
    if NOT_RECORDED in errors:
        lines.append("  --cases and --samples limit a run to recorded answers")
    lines += unusual_checks(result.progress.total)
    lines.append(f"next: {_next(result, shlex.quote(address), again)}")
    return "\n".join(lines)


def _counts(progress: RunProgress) -> str:
    total = progress.total
    of = "of at most" if progress.stops_early else "of"
    return f"generated {total.generated:,} {of} {total.planned:,}, checked {total.checked:,}"


def _missing(progress: RunProgress) -> str:
    total = progress.total
    pending, unchecked = total.planned - total.generated, total.generated - total.ended
    most = "at most " if progress.stops_early else ""
    parts = [
        f"{most}{pending:,} not generated" if pending else "",
        f"{unchecked:,} generated and not checked" if unchecked else "",
    ]
    return ", ".join(filter(None, parts)) or "nothing; the tables are not yet finished"


def _next(result: RunResult, address: str, again: str) -> str:
    resume, errors = f"steelyard run --resume {address}", result.progress.total.errors
    if (unknown := result.unknown_model) is not None:
        right = unknown.near or "RIGHT-NAME"
        return (
            f"{resume}{again} --replace-model {unknown.model}={right}\n"
            f"  or: {resume}{again} --drop-model {unknown.model}"
        )
    if result.hit_budget:
        return f"{resume}{again} --max-usd MORE"
    recorded = f"\n  or: steelyard run EVAL-SET{again} --cases CASES --samples NUMBER"
    fewer = recorded if errors and again else ""
    again += _cap(result.progress)
    if result.lacks_cases:
        return f"steelyard run EVAL-SET --resume {address}{again}, with the set that has the missing cases"
    # Retrying does not help for answers that were never recorded.
    if not result.is_complete or any(kind != NOT_RECORDED for kind in errors):
        return f"{resume}{again}"
    return f"steelyard report {address}{fewer}"


def _cap(progress: RunProgress) -> str:
    """Return the budget option of a run, which is not stored."""
    return "" if progress.max_nano_usd is None else f" --max-usd {progress.max_nano_usd / NANO_USD:g}"


def _spent(progress: RunProgress) -> str:
    total, more = progress.total, f"{_judges(progress.judges)}{_unanswered(progress)}"
    if not total.cost_nano_usd and total.unpriced:
        return more
    unknown = f" (and {counted(total.unpriced, 'answer')} of unknown price)" if total.unpriced else ""
    return f", spent ${total.cost_nano_usd / NANO_USD:.4f}{unknown}{more}"


def _unanswered(progress: RunProgress) -> str:
    """Return what the budget counts beyond answers and judges."""
    judges = progress.judges.cost_nano_usd if progress.judges else 0
    rest = progress.spent_nano_usd - progress.total.cost_nano_usd - judges
    if progress.max_nano_usd is None or rest <= 0:
        return ""
    return f", and up to ${rest / NANO_USD:.4f} on calls whose cost is unknown"


def _judges(spend: JudgeSpend | None) -> str:
    if spend is None:
        return ""
    unknown = f" (and {spend.unpriced:,} replies of unknown price)" if spend.unpriced else ""
    return f", on judges ${spend.cost_nano_usd / NANO_USD:.4f}{unknown}"
