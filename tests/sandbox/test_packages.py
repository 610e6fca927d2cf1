"""Answers find packages of npm and crates in the sandboxes that start containers, too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.checks.toolchains.rust.vendored import FOLDER_ENV
from steelyard.model.case import Case, Expectations
from steelyard.model.environment import Environment
from steelyard.model.graded import InputOutput
from steelyard.model.outcome import Classification
from steelyard.ports import Sandbox
from steelyard.runner.check.checkers import Checkers
from tests.checks.toolchains.rust.test_checker import SIDES, SIDES_CASE, write_vendored
from tests.node_modules import use_node_modules
from tests.sandbox.backends import ISOLATING
from tests.sandbox.conftest import skip_without_rights
from tests.sandbox.gvisor.truths import PATIENT_S

PROGRAM = """```javascript
import scales from 'scales';
import { writeFileSync } from 'node:fs';
console.log(scales.grams(2));
try { writeFileSync('node_modules/scales/index.js', ''); } catch { console.log('refused'); }
```"""


@pytest.fixture(scope="module", params=["oci", "gvisor"])
def container(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    skip_without_rights(request.param)
    sandbox = ISOLATING[request.param]()
    yield sandbox
    sandbox.close()  # type: ignore[attr-defined]  # both can be closed


def test_a_program_imports_a_package_and_cannot_change_it(
    container: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_node_modules(tmp_path, monkeypatch)
    case = Case(
        id="mass",
        language="javascript",
        timeout_s=PATIENT_S,
        environment=Environment(npm=("scales@1.0.0",)),
        expectations=Expectations(io=(InputOutput(stdout="2000\nrefused\n"),)),
    )

    outcome = Checkers(container).of(case).check(case, PROGRAM)

    assert outcome.facts.classification is Classification.PASS, outcome.detail


def test_an_answer_in_rust_is_built_with_a_crate(
    container: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_ENV, str(write_vendored(tmp_path)))

    outcome = Checkers(container).of(SIDES_CASE).check(SIDES_CASE, SIDES)

    assert outcome.facts.classification is Classification.PASS, outcome.detail
