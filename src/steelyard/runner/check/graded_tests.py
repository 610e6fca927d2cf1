"""Find cases whose graded tests cannot grade anything, before any answer is drawn."""

from collections.abc import Iterable, Iterator

from steelyard.checks.python.job import require_gradable, shares_process
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.runner.check.checkers import checker_name, form_of


def problems_of_tests(cases: Iterable[Case]) -> Iterator[str]:
    """Say what is wrong with tests of Python; those that share a process are read when they are run."""
    for case in cases:
        if checker_name(case.language) != "python" or form_of(case) or shares_process(case):
            continue
        try:
            require_gradable(case)
        except InputError as error:
            yield str(error)
