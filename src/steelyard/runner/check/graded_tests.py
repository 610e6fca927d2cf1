"""Find cases with tests that cannot grade, before any answer is generated."""

from collections.abc import Iterable, Iterator

from steelyard.checks.python.job import read_tests
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.runner.check.checkers import checker_name, form_of


def problems_of_tests(cases: Iterable[Case]) -> Iterator[str]:
    """Yield the problems of Python tests."""
    for case in cases:
        if checker_name(case.language) != "python" or form_of(case):
            continue
        try:
            read_tests(case)
        except InputError as error:
            yield str(error)
