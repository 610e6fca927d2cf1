"""One sandbox with a warm interpreter for all audits."""

import pytest

from steelyard.auditing.checks import AnswerChecks
from steelyard.runner.check.sandboxes import make_sandbox


@pytest.fixture(scope="package")
def checks() -> AnswerChecks:
    return AnswerChecks(make_sandbox())
