"""Find which answers of a run can be checked by an eval set as it is now.

An answer stays valid as long as its prompt is the same. Nothing is checked or written here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from steelyard.errors import InputError, UserError
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet, JudgePlan
from steelyard.model.regrade import CaseId
from steelyard.model.run import RunCase, case_key
from steelyard.model.sample import SampleKey
from steelyard.runner.requests import Requests
from steelyard.store.run.regrade.staged import CaseForm
from steelyard.store.run.regrade.staging import prompts_asked
from steelyard.store.run.run_store import RunStore

NAMES_SHOWN = 20  # cases that a message names


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradePlan:
    """What is to be checked again, by which eval set, and what cannot be."""

    eval_set: EvalSet  # the run's own, with every case in the form that answers are checked by
    forms: tuple[CaseForm, ...]
    asked_anew: tuple[CaseId, ...] = ()  # cases with another prompt now: their answers stay as they are
    new: tuple[CaseId, ...] = ()  # cases that the run does not have


def plan_regrade(
    store: RunStore, wanted: EvalSet, *, stored: EvalSet | None = None, every: bool = False
) -> RegradePlan:
    """Return what to check by an eval set; `stored` is the one that the run went by so far.

    With `every`, each answer is checked again, even if it was checked in just the same way.
    """
    asked = prompts_asked(store, has_feedback=(stored or wanted).sampling.feedback)
    if not asked:
        raise InputError(f"{store.location.address}: this run holds no answers to check again")
    by_name = {(case.suite, case.id): case for case in wanted.cases}
    current = {(known.suite, known.case): known for known in store.manifest.current_cases()}
    shared = {name: (known, by_name[name]) for name, known in current.items() if name in by_name}
    prompts = _Prompts(store, wanted, asked)
    valid = {
        name: (known, case)
        for name, (known, case) in shared.items()
        if known.digest == case.digest or prompts.is_same(known, case)
    }
    merged = _merged(stored or wanted, {name: case for name, (_, case) in valid.items()})
    return RegradePlan(
        eval_set=replace(merged, judge=_judges(wanted.judge, None if stored is None else stored.judge)),
        forms=tuple(_form(known, case, every=every) for known, case in valid.values()),
        asked_anew=tuple(name for name in shared if name not in valid),
        new=tuple(name for name in by_name if name not in current),
    )


class _Prompts:
    """Compares the prompts that were sent with those that would be sent now."""

    def __init__(self, store: RunStore, wanted: EvalSet, asked: Mapping[int, set[str | None]]) -> None:
        self._subjects = store.manifest.subjects
        self._requests = Requests(wanted, self._subjects)
        self._asked = asked

    def is_same(self, known: RunCase, case: Case) -> bool:
        """Whether a case has answers, and all were drawn with the prompt that it has now."""
        found = False
        for one in self._subjects:
            drawn = self._asked.get(case_key(one.model, one.tier, known.suite, known.case, known.digest))
            key = SampleKey(one.model, one.tier, known.suite, known.case, case.digest, 0)
            if drawn is not None and drawn != {self._requests.of(key).prompt_digest}:
                return False
            found = found or drawn is not None
        return found


def _form(known: RunCase, case: Case, *, every: bool) -> CaseForm:
    return CaseForm(
        suite=known.suite,
        case=known.case,
        before=known.digest,
        now=case.digest,
        expected=case.expected,
        honeypot=case.honeypot,
        is_every=every,
    )


def _judges(wanted: JudgePlan | None, stored: JudgePlan | None) -> JudgePlan | None:
    """Return who judges: as the set says, and the run's own judges where it names none.

    Judges that were named by `--judges` are in the run only, not in the set it was made from.
    """
    if wanted is None or stored is None:
        return wanted or stored
    return wanted if wanted.models else replace(wanted, models=stored.models)


def require_all_judged(store: RunStore, planned: RegradePlan) -> None:
    """Refuse to leave answers to their earlier judges: the scores of the run would mean two things."""
    judge = planned.eval_set.judge
    if (None if judge is None else judge.record) == store.manifest.judges:
        return
    answered, taken = prompts_asked(store), {(form.suite, form.case) for form in planned.forms}
    named = [
        known.case
        for known in store.manifest.current_cases()
        if (known.suite, known.case) not in taken
        and any(
            case_key(one.model, one.tier, known.suite, known.case, known.digest) in answered
            for one in store.manifest.subjects
        )
    ]
    if named:
        more = f" and {len(named) - NAMES_SHOWN} more" if len(named) > NAMES_SHOWN else ""
        raise UserError(
            f"{store.location.address}: the set has other judges or another rubric than the run, so every "
            f"answer must be judged again. The set lacks these cases, or asks something else in them now: "
            f"{', '.join(named[:NAMES_SHOWN])}{more}. "
            f"Put them back as they were, keep judges and rubric, or begin a new run."
        )


def _merged(known: EvalSet, taken: Mapping[CaseId, Case]) -> EvalSet:
    """Return the run's eval set with the cases in the form that they are checked in."""
    return replace(known, cases=tuple(taken.get((case.suite, case.id), case) for case in known.cases))
