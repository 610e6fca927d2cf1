"""Keep the eval sets of the service, and find the case that a request names or brings."""

import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from steelyard.checks.environments import require_packages
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet
from steelyard.model.sample import text_digest
from steelyard.runner.check.checkers import JUDGED_ONLY, problems_of_tests, unchecked_languages
from steelyard.service.requests import CheckRequest
from steelyard.sources.evalset.read import case_of_table

PROBLEMS_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedCase:
    """A case, its digest, and the form in which workers get it."""

    case: Case
    digest: str
    pickled: bytes

    @property
    def key(self) -> tuple[str, ...]:
        """A name for all that decides about a verdict; limits are no part of the digest."""
        return self.digest, self.case.id, str(self.case.timeout_s), str(self.case.memory_mb)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedSet:
    """An eval set with its digest and its cases by id."""

    eval_set: EvalSet
    digest: str
    cases: Mapping[str, ServedCase]


class ServedSets:
    """The eval sets of the service, by id and by digest."""

    def __init__(self) -> None:
        self._sets: dict[str, ServedSet] = {}

    def __iter__(self) -> Iterator[ServedSet]:
        """Iterate over the sets that are served by id."""
        return iter([served for name, served in self._sets.items() if name == served.eval_set.id])

    def add(self, eval_set: EvalSet) -> ServedSet:
        """Serve a set by its id and its digest. An earlier set of the same id is still served by digest."""
        require_checkable(eval_set.cases)
        cases = {case.id: serve_case(case) for case in eval_set.cases}
        digest = text_digest("".join(f"{name}\n{case.digest}\n" for name, case in cases.items()))
        served = ServedSet(eval_set=eval_set, digest=digest, cases=cases)
        self._sets |= {eval_set.id: served, digest: served}
        return served

    def named(self, name: str) -> ServedSet:
        """Return a set by id or digest; raises InputError."""
        if name not in self._sets:
            served_names = ", ".join(served.eval_set.id for served in self) or "none"
            raise InputError(f"eval set {name!r} is not served; served sets: {served_names}")
        return self._sets[name]

    def case_of(self, request: CheckRequest) -> ServedCase:
        """Return the case of a request; raises InputError."""
        if request.inline is not None:
            if request.eval_set or request.case:
                raise InputError("give either `inline`, or `eval_set` and `case`")
            case = case_of_table(request.inline)
            require_checkable([case])
            return serve_case(case)
        served = self.named(request.eval_set).cases.get(request.case)
        if served is None:
            raise InputError(f"eval set {request.eval_set!r} has no case {request.case!r}")
        if request.case_digest not in {"", served.digest}:
            raise InputError(
                f"case {request.case!r} has digest {served.digest}, not {request.case_digest}: it has changed"
            )
        return served


def serve_case(case: Case) -> ServedCase:
    """Prepare a case for many answers."""
    return ServedCase(case=case, digest=case.digest, pickled=pickle.dumps(case))


def require_checkable(cases: Iterable[Case]) -> None:
    """Raise InputError for cases that this machine cannot check."""
    cases = list(cases)
    problems = [
        f"case {case.id}: only judges grade it, and the service has none"
        for case in cases
        if case.language == JUDGED_ONLY
    ]
    problems += [
        f"language {name!r} is not supported; {near}?" for name, near in unchecked_languages(cases).items()
    ]
    problems += problems_of_tests(cases)
    if problems:
        raise InputError("\n".join(problems[:PROBLEMS_SHOWN]))
    for case in cases:
        require_packages(case)
