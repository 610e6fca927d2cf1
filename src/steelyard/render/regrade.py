"""Summarise a regrade: what changed, what was left out, and the next command."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from steelyard.model.regrade import Regraded, RegradeSummary
from steelyard.render.names import visible
from steelyard.render.words import counted

MOST_NAMED = 20  # cases that are listed
EXAMPLES = 3  # of a kind of failure


def regrade_summary(done: RegradeSummary, place: str, *, set_option: str, every: bool) -> Iterator[str]:
    """Yield the lines of the summary; `place` is the run as the user names it."""
    result, address = done.result, shlex.quote(place)
    again = f"steelyard regrade {address}{set_option}{' --all' if every else ''}"
    if result.was_stopped:
        so_far = counted(result.checked, "answer")
        yield f"run {place}: {so_far} checked again so far; no outcome is replaced yet"
        yield f"next: {again}"
        return
    yield f"run {place}: {_checked(done)}"
    if result.checked:
        yield from _changes(result.changes)
    yield from _left_out(done, f"steelyard run --resume {address}{set_option}")
    if result.is_in_place:
        yield f"next: steelyard report {address}"
    elif result.broken or result.lost:
        yield from _broken(result.broken)
        yield from _lost(result.lost)
        yield f"next: {again}, or with --allow-errors"
    else:
        yield "nothing is replaced: with these outcomes the stop rule would have ended at other samples;"
        requested = set_option or " --eval-set EVALSET"
        yield f"create a new run from its answers: steelyard run{requested} --replay answers.jsonl"
        yield f"next: steelyard export {address} --table samples{set_option} -o answers.jsonl"


def _checked(done: RegradeSummary) -> str:
    if not done.result.checked:
        return "nothing to check: all checks are up to date; --all repeats them anyway"
    cases = {(change.suite, change.case) for change in done.result.changes}
    changed = f"; {counted(done.changed_cases, 'changed case')}" if done.changed_cases else ""
    answers = counted(done.result.checked, "answer")
    return f"{answers} to {counted(len(cases), 'case')} checked again{changed}"


def _changes(changes: Sequence[Regraded]) -> Iterator[str]:
    """Yield the number of changed outcomes, and their cases."""
    changed = [change for change in changes if change.was is not None and change.was != change.now]
    rescored = sum(
        change.rescored for change in changes if change.was is not None and change.was == change.now
    )
    kinds: Counter[tuple[str, str]] = Counter()
    for regraded in changed:
        kinds[str(regraded.was), regraded.now] += regraded.samples
    lost = sum(change.lost for change in changes if not change.is_broken)
    if not changed and not rescored and not lost:
        yield "no outcome changed"
        return
    if changed:
        listed = ", ".join(f"{was} → {now} {count:,}" for (was, now), count in kinds.most_common())
        yield f"{counted(kinds.total(), 'outcome')} changed: {listed}"
        yield from _cases(changed)
    if rescored:
        yield f"{counted(rescored, 'outcome')} changed the score only"
    if lost:
        yield f"{counted(lost, 'outcome')} lost {'its' if lost == 1 else 'their'} score or judged rating"


def _cases(changed: Sequence[Regraded]) -> Iterator[str]:
    for change in changed[:MOST_NAMED]:
        case = f"{visible(change.suite)} / {visible(change.case)}"
        subject = f"{visible(change.model)} ({visible(change.tier)})"
        yield f"  {case}, {subject}: {change.was} → {change.now} {change.samples:,}"
    if len(changed) > MOST_NAMED:
        yield f"  … and {len(changed) - MOST_NAMED:,} more"


def _left_out(done: RegradeSummary, command: str) -> Iterator[str]:
    if done.changed_prompts:
        yield f"not checked again, since their prompts changed: {_names(done.changed_prompts)}"
    if done.new:
        yield f"not in the run: {_names(done.new)}"
    if done.changed_prompts or done.new:
        yield f"to generate these: {command}"


def _broken(broken: Sequence[Regraded]) -> Iterator[str]:
    if not broken:
        return
    samples = sum(regraded.samples for regraded in broken)
    yield f"nothing is replaced: {counted(samples, 'check')} newly failed for infrastructure reasons"
    for outcome in broken[:EXAMPLES]:
        yield _example(outcome, outcome.detail.partition("\n")[0])


def _lost(lost: Sequence[Regraded]) -> Iterator[str]:
    if not lost:
        return
    answers = counted(sum(regraded.lost for regraded in lost), "answer")
    yield f"nothing is replaced: {answers} would lose their score or rating"
    for outcome in lost[:EXAMPLES]:
        lines = outcome.detail.splitlines()
        # Judges' messages follow those of the tools.
        reason = next((line for line in lines if line.startswith("judge: ")), "".join(lines[:1]))
        yield _example(outcome, reason)


def _example(outcome: Regraded, reason: str) -> str:
    return f"  {visible(outcome.suite)} / {visible(outcome.case)}: {visible(reason)}"


def _names(cases: Sequence[tuple[str, str]]) -> str:
    named = ", ".join(visible(case) for _, case in cases[:MOST_NAMED])
    more = f" and {len(cases) - MOST_NAMED:,} more" if len(cases) > MOST_NAMED else ""
    return f"{named}{more}"
