"""Ordinary tests of ordinary tasks: right answers pass and wrong ones fail, by default settings."""

import sys
from collections.abc import Iterator

import pytest

from steelyard.checks.toolchains.python import PythonChecker
from steelyard.checks.toolchains.python.environment import interpreter_of
from steelyard.checks.toolchains.python.tests_source import read_source
from steelyard.model.case import Case, Expectations
from steelyard.model.environment import Environment
from steelyard.model.outcome import Classification
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox
from tests.checks.python_natural.natural_cases import LOCK, NaturalCase, all_cases

CASES = {f"{case.name}-{number}": case for number, case in enumerate(all_cases())}


def needs_packages(natural: NaturalCase) -> bool:
    texts = (natural.tests, natural.solution, *natural.support.values())
    imported = {name for text in texts if "import" in text for name in _imported(text)}
    own = {natural.module.partition(".")[0], *(path.partition(".")[0] for path in natural.support)}
    has_plugin_fixture = "mocker" in natural.tests  # of pytest-mock, which is not imported
    return has_plugin_fixture or bool(imported - own - sys.stdlib_module_names - {"pytest"})


def _imported(text: str) -> frozenset[str]:
    try:
        return read_source(text).imported
    except SyntaxError:
        return frozenset()


@pytest.fixture(scope="module")
def checkers() -> Iterator[dict[bool, PythonChecker]]:
    """Return a checker without packages, and one with all of the lock."""
    sandboxes = dict[bool, WarmPythonSandbox]()

    class Lazy(dict[bool, PythonChecker]):
        def __missing__(self, key: bool) -> PythonChecker:  # noqa: FBT001  # the signature of dict
            sandboxes[key] = WarmPythonSandbox(**interpreter_of(environment(key=key)).warm_options())
            self[key] = PythonChecker(sandboxes[key])
            return self[key]

    yield Lazy()
    for sandbox in sandboxes.values():
        sandbox.close()


def environment(*, key: bool) -> Environment | None:
    return Environment(requirements=LOCK.read_text(encoding="utf-8")) if key else None


def parameters() -> Iterator[object]:
    for name, natural in CASES.items():
        marks = [pytest.mark.check_all] if needs_packages(natural) else []
        yield pytest.param(natural, id=name, marks=marks)


@pytest.mark.timeout(900)  # the first of them installs packages
@pytest.mark.parametrize("natural", [*parameters()])
def test_right_answers_pass_and_wrong_ones_fail(
    natural: NaturalCase, checkers: dict[bool, PythonChecker]
) -> None:
    key = needs_packages(natural)
    module = {} if natural.module == "solution" else {"module": natural.module}
    case = Case(
        id=natural.name,
        language="python",
        timeout_s=120.0,
        files={**natural.shipped, **natural.support},
        environment=environment(key=key),
        reference=natural.solution,
        expectations=Expectations(tests=natural.tests, settings={"answer": "raw", **module}),
    )

    right, wrong = (checkers[key].check(case, answer) for answer in (natural.solution, natural.wrong))

    assert right.facts.classification is Classification.PASS, right.detail
    assert wrong.facts.classification is Classification.FAIL, wrong.detail
