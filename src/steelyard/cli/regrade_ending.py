"""Say what a regrade changed, what it left out and why, and the next command to type."""

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from steelyard.cli.output import address_here
from steelyard.cli.run_ending import INCOMPLETE
from steelyard.errors import InfrastructureError, UserError
from steelyard.render.names import visible
from steelyard.render.words import counted
from steelyard.runner.regrade.plan import CaseId, Regrading
from steelyard.runner.regrade.regrade import Regrade
from steelyard.runner.resources import RunSettings
from steelyard.store.run.regrade.staged import Regraded
from steelyard.store.run.run_store import RunStore

MOST_NAMED = 20  # cases that are listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What the user typed."""

    address: str
    eval_set: str | None
    every: bool
    allow_errors: bool
    quiet: bool
    settings: RunSettings


def code_of(done: Regrade) -> int:
    """Return the exit code: 0 done, 2 not possible, 3 checks broke, 4 stopped by the user."""
    if done.is_in_place:
        return 0
    if done.was_stopped:
        return INCOMPLETE
    return InfrastructureError.exit_code if done.broken else UserError.exit_code


def last_words(done: Regrade, planned: Regrading, store: RunStore, order: Order) -> Iterable[str]:
    """Give what to tell the user at the end, line by line."""
    place = address_here(store.place.address)
    address = shlex.quote(place)
    again = f"steelyard regrade {address}{_options(order)}"
    if done.was_stopped:
        so_far = counted(done.checked, "answer")
        yield f"run {place}: {so_far} checked again so far; nothing is replaced yet"
        yield f"next: {again}"
        return
    yield f"run {place}: {_checked(done, planned)}"
    if done.checked:
        yield from _changes(done.changes)
    yield from _left_out(planned, f"steelyard run --resume {address}{_options(replace(order, every=False))}")
    if done.is_in_place:
        yield f"next: steelyard report {address}"
    elif done.broken:
        yield from _broken(done.broken)
        yield f"next: {again}, or with --allow-errors"
    else:
        yield "nothing is replaced: by these outcomes the run's stop rule would have ended elsewhere;"
        yield "make a new run of its answers: steelyard run --replay answers.jsonl --eval-set EVALSET"
        yield f"next: steelyard export {address} --table samples -o answers.jsonl"


def _options(order: Order) -> str:
    told = "" if order.eval_set is None else f" --eval-set {shlex.quote(order.eval_set)}"
    return told + (" --all" if order.every else "")


def _checked(done: Regrade, planned: Regrading) -> str:
    if not done.checked:
        return "nothing to check again: every answer is checked as it would be now; --all checks them anyway"
    cases = {(one.suite, one.case) for one in done.changes}
    moved = sum(form.has_moved for form in planned.forms)
    beside = f"; {counted(moved, 'case')} in a new form" if moved else ""
    return f"{counted(done.checked, 'answer')} to {counted(len(cases), 'case')} checked again{beside}"


def _changes(changes: Sequence[Regraded]) -> Iterable[str]:
    """Say how many outcomes ended otherwise, and in which cases."""
    changed = [one for one in changes if one.was is not None and one.was != one.now]
    rescored = sum(one.rescored for one in changes if one.was is not None and one.was == one.now)
    kinds: Counter[tuple[str, str]] = Counter()
    for one in changed:
        kinds[str(one.was), one.now] += one.samples
    if not changed and not rescored:
        yield "no outcome changed"
        return
    if changed:
        said = ", ".join(f"{was} → {now} {count:,}" for (was, now), count in kinds.most_common())
        total = kinds.total()
        yield f"{counted(total, 'outcome')} changed: {said}"
        yield from _cases(changed)
    if rescored:
        yield f"{counted(rescored, 'outcome')} kept the kind and got another score"


def _cases(changed: Sequence[Regraded]) -> Iterable[str]:
    for one in changed[:MOST_NAMED]:
        where = f"{visible(one.suite)} / {visible(one.case)}, {visible(one.model)} ({visible(one.tier)})"
        yield f"  {where}: {one.was} → {one.now} {one.samples:,}"
    if len(changed) > MOST_NAMED:
        yield f"  … and {len(changed) - MOST_NAMED:,} more"


def _left_out(planned: Regrading, command: str) -> Iterable[str]:
    if planned.asked_anew:
        yield f"left as they were, since they ask something else now: {_names(planned.asked_anew)}"
    if planned.new:
        yield f"not in the run: {_names(planned.new)}"
    if planned.asked_anew or planned.new:
        yield f"to draw these: {command}"


def _broken(broken: Sequence[Regraded]) -> Iterable[str]:
    samples = sum(one.samples for one in broken)
    yield f"nothing is replaced: {counted(samples, 'check')} broke that did not before"
    for one in broken[:3]:
        first = visible((one.detail or "").partition("\n")[0])
        yield f"  {visible(one.suite)} / {visible(one.case)}: {first}"


def _names(cases: Sequence[CaseId]) -> str:
    named = ", ".join(visible(case) for _, case in cases[:MOST_NAMED])
    more = f" and {len(cases) - MOST_NAMED:,} more" if len(cases) > MOST_NAMED else ""
    return f"{named}{more}"
