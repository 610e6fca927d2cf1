"""Run the solutions of tasks, whose patches are the references of their cases."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from steelyard.checks.tasks.solution import has_solution, solve
from steelyard.checks.tasks.trial import run_trial
from steelyard.checks.tasks.workspace import Workspaces
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet
from steelyard.runner.tasks.engine import container_engine

THREADS = 2


def with_solutions(eval_set: EvalSet, announce: Callable[[str], None] = lambda _: None) -> EvalSet:
    """Return the set with the patch of each task's solution as its reference."""
    tasks = [case for case in eval_set.cases if _lacks_reference(case)]
    if not tasks:
        return eval_set
    announce(f"building the images and running the solutions of {len(tasks):,} tasks")
    references = _solved(tasks)
    cases = (
        replace(case, reference=references.get((case.suite, case.id), case.reference))
        for case in eval_set.cases
    )
    return replace(eval_set, cases=tuple(cases))


def _solved(cases: Sequence[Case]) -> dict[tuple[str, str], str]:
    engine = container_engine()
    workspaces = Workspaces(engine)

    def solved(case: Case) -> str | None:
        return None if case.task is None else run_trial(engine, workspaces, case.task, solve)

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(solved, cases))
    return {
        (case.suite, case.id): answer
        for case, answer in zip(cases, answers, strict=True)
        if answer is not None
    }


def _lacks_reference(case: Case) -> bool:
    return case.task is not None and case.reference is None and has_solution(case.task)
