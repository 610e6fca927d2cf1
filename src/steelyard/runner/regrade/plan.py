"""Find the answers of a run that the current eval set can check.

An answer is valid while its prompt is unchanged. Nothing is checked or written here.
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
from steelyard.store.run.regrade.staging import stored_prompts
from steelyard.store.run.run_store import RunStore

NAMES_SHOWN = 20  # cases that a message names


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradePlan:
    """The cases to check again, with the eval set, and those that cannot be checked."""

    eval_set: EvalSet  # the run's own, with the current form of each case
    forms: tuple[CaseForm, ...]
    changed_prompts: tuple[CaseId, ...] = ()  # cases with a changed prompt: not regraded
    new: tuple[CaseId, ...] = ()  # cases that the run does not have


def plan_regrade(
    store: RunStore, eval_set: EvalSet, *, stored: EvalSet | None = None, every: bool = False
) -> RegradePlan:
    """Return the plan for an eval set; `stored` is the run's own.

    With `every`, answers with an unchanged check are checked again too.
    """
    sent = stored_prompts(store, has_feedback=(stored or eval_set).sampling.feedback)
    if not sent:
        raise InputError(f"{store.location.address}: this run holds no answers to check again")
    by_name = {(case.suite, case.id): case for case in eval_set.cases}
    current = {
        (current_case.suite, current_case.case): current_case
        for current_case in store.manifest.current_cases()
    }
    shared = {name: (known, by_name[name]) for name, known in current.items() if name in by_name}
    prompts = _Prompts(store, eval_set, sent)
    valid = {
        name: (known, case)
        for name, (known, case) in shared.items()
        if known.digest == case.digest or prompts.is_same(known, case)
    }
    merged = _merge_sets(stored or eval_set, {name: case for name, (_, case) in valid.items()})
    return RegradePlan(
        eval_set=replace(
            merged, judge=_choose_judges(eval_set.judge, None if stored is None else stored.judge)
        ),
        forms=tuple(_make_form(known, case, every=every) for known, case in valid.values()),
        changed_prompts=tuple(name for name in shared if name not in valid),
        new=tuple(name for name in by_name if name not in current),
    )


class _Prompts:
    """Compares stored prompts with current ones."""

    def __init__(self, store: RunStore, eval_set: EvalSet, prompts: Mapping[int, set[str | None]]) -> None:
        self._subjects = store.manifest.subjects
        self._requests = Requests(eval_set, self._subjects)
        self._prompts = prompts

    def is_same(self, run_case: RunCase, case: Case) -> bool:
        """Whether a case has answers, all with its current prompt."""
        has_answers = False
        for subject in self._subjects:
            generated = self._prompts.get(
                case_key(subject.model, subject.tier, run_case.suite, run_case.case, run_case.digest)
            )
            key = SampleKey(subject.model, subject.tier, run_case.suite, run_case.case, case.digest, 0)
            if generated is not None and generated != {self._requests.of(key).prompt_digest}:
                return False
            has_answers = has_answers or generated is not None
        return has_answers


def _make_form(run_case: RunCase, case: Case, *, every: bool) -> CaseForm:
    return CaseForm(
        suite=run_case.suite,
        case=run_case.case,
        before=run_case.digest,
        now=case.digest,
        expected=case.expected,
        honeypot=case.honeypot,
        cluster=case.cluster,
        is_every=every,
    )


def _choose_judges(judge_plan: JudgePlan | None, stored: JudgePlan | None) -> JudgePlan | None:
    """Return the judges of the eval set, by default those of the run.

    Judges from `--judges` are stored in the run only.
    """
    if judge_plan is None or stored is None:
        return judge_plan or stored
    return judge_plan if judge_plan.models else replace(judge_plan, models=stored.models)


def require_all_judged(store: RunStore, planned: RegradePlan) -> None:
    """Reject a change of judges for a part of the answers: their scores would not be comparable."""
    judge = planned.eval_set.judge
    if (None if judge is None else judge.record) == store.manifest.judges:
        return
    answered, taken = stored_prompts(store), {(form.suite, form.case) for form in planned.forms}
    named = [
        case.case
        for case in store.manifest.current_cases()
        if (case.suite, case.case) not in taken
        and any(
            case_key(subject.model, subject.tier, case.suite, case.case, case.digest) in answered
            for subject in store.manifest.subjects
        )
    ]
    if named:
        more = f" and {len(named) - NAMES_SHOWN} more" if len(named) > NAMES_SHOWN else ""
        raise UserError(
            f"{store.location.address}: the set has other judges or another rubric than the run, so every "
            f"answer must be judged again. These cases are missing or have changed prompts: "
            f"{', '.join(named[:NAMES_SHOWN])}{more}. "
            f"Put them back as they were, keep judges and rubric, or begin a new run."
        )


def _merge_sets(eval_set: EvalSet, taken: Mapping[CaseId, Case]) -> EvalSet:
    """Return the run's eval set with the current cases."""
    return replace(eval_set, cases=tuple(taken.get((case.suite, case.id), case) for case in eval_set.cases))
