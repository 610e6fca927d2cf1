"""In CI, properties are tried with the same examples every time, in the workers too."""

import os
import subprocess
import sys

import pytest

from tests.repo.package import REPOSITORY

SHOW = "import tests.conftest, hypothesis; print(hypothesis.settings.default.derandomize)"
IN_A_CHILD = f"import tests.conftest, subprocess, sys; subprocess.run([sys.executable, '-c', {SHOW!r}])"


@pytest.mark.parametrize(("ci", "same"), [({"CI": "true"}, "True"), ({}, "False")])
def test_a_worker_that_inherits_the_environment_knows_that_it_runs_in_ci(
    ci: dict[str, str], same: str
) -> None:
    outside = {name: value for name, value in os.environ.items() if "CI" not in name}
    shown = subprocess.run(
        [sys.executable, "-c", IN_A_CHILD],
        cwd=REPOSITORY,
        env={**outside, **ci},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert shown.strip() == same
