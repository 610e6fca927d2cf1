"""References of public benchmarks pass and empty answers do not: a sample of them, where they are at hand."""

import os
from pathlib import Path

import pytest

from benchmarks.references import BENCHMARKS, FOLDER_ENV, run
from steelyard.checks.python import PythonChecker

FOLDER = os.environ.get(FOLDER_ENV, "")
SAMPLES = {"humaneval": 16, "mbpp": 60, "cruxeval": 60, "classeval": 9}  # every so many-th task


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # about escapes in others' tests
@pytest.mark.filterwarnings("ignore::SyntaxWarning")  # as above, by newer Pythons
@pytest.mark.skipif(not FOLDER, reason=f"{FOLDER_ENV} names no folder")
@pytest.mark.parametrize("name", SAMPLES)
def test_references_pass_and_empty_answers_do_not(name: str, checker: PythonChecker) -> None:
    tasks = list(BENCHMARKS[name](Path(FOLDER)))[:: SAMPLES[name]]
    found = run(checker, tasks, workers=3)

    assert found.checked == 2 * len(tasks) > 10
    assert (found.failing, found.forged) == ([], [])
