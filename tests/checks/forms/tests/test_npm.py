"""Answers in JavaScript and TypeScript that import packages of npm, in every form of graded tests."""

from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.checks.forms.calls.checker import CallsChecker
from steelyard.checks.forms.io.checker import IoChecker
from steelyard.checks.forms.tests.checker import CommandChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.environment import Environment
from steelyard.model.execution import Command, ExecResult
from steelyard.model.graded import FunctionCall, InputOutput
from steelyard.model.outcome import Classification, Integrity, Outcome
from steelyard.ports import Sandbox
from tests.checks.leftovers import used_sandbox
from tests.node_modules import use_node_modules, write_package

PASS, FAIL = Classification.PASS, Classification.FAIL
PACKAGES = Environment(npm=("scales@1.0.0",))
FUNCTION = "import scales from 'scales';\nexport function mass(n) { return scales.grams(n); }\n"
PROGRAM = "import scales from 'scales';\nconsole.log(scales.grams(2));\n"
COMMON_JS = "const { grams } = require('scales');\nfunction mass(n) { return grams(n); }\n"
FILES = {"javascript": "answer.mjs", "typescript": "answer.js"}
TESTS = """
import test from 'node:test';
import assert from 'node:assert/strict';
import {{ mass }} from './{file}';
import scales from 'scales';
test('weighs', () => {{ assert.equal(mass(2), 2000); assert.equal(mass(3), scales.grams(3)); }});
"""
CALLS = Expectations(function="mass", calls=(FunctionCall(args=(2,), returns=2000),))
IO = Expectations(io=(InputOutput(stdout="2000\n"),))


class ListeningSandbox:
    """Notes which files come back."""

    def __init__(self, inner: Sandbox) -> None:
        self._inner = inner
        self.kept = list[str]()

    def run(self, command: Command) -> ExecResult:
        ended = self._inner.run(command)
        self.kept += ended.files
        return ended


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return used_sandbox()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_node_modules(tmp_path, monkeypatch)


def case(language: str, wanted: Expectations | None = None) -> Case:
    tests = Expectations(tests=TESTS.format(file=FILES[language]))
    return Case(id="mass", language=language, environment=PACKAGES, expectations=wanted or tests)


def checked(sandbox: Sandbox, task: Case, code: str, *more: str) -> Outcome:
    """Return the outcome of an answer of some files."""
    wanted = task.expectations
    kind = CallsChecker if wanted.calls else IoChecker if wanted.io else CommandChecker
    typed = code.replace("(n)", "(n: number)", 1) if task.language == "typescript" else code
    return kind(sandbox).check(task, f"```{task.language}\n{typed}```\n" + "".join(more))


@pytest.mark.parametrize("language", FILES)
def test_an_answer_and_its_tests_import_a_package(language: str, sandbox: Sandbox) -> None:
    outcome = checked(sandbox, case(language), FUNCTION)

    assert (outcome.facts.classification, outcome.facts.tests_passed) == (PASS, 1), outcome.detail


@pytest.mark.parametrize("language", FILES)
@pytest.mark.parametrize("code", [FUNCTION, COMMON_JS], ids=["import", "require"])
def test_a_function_that_is_called_imports_a_package(language: str, code: str, sandbox: Sandbox) -> None:
    outcome = checked(sandbox, case(language, CALLS), code)

    assert outcome.facts.classification is PASS, outcome.detail


@pytest.mark.parametrize("language", FILES)
def test_a_whole_program_imports_a_package(language: str, sandbox: Sandbox) -> None:
    outcome = checked(sandbox, case(language, IO), PROGRAM)

    assert outcome.facts.classification is PASS, outcome.detail


@pytest.mark.parametrize("language", FILES)
def test_nothing_is_there_for_a_case_without_packages(language: str, sandbox: Sandbox) -> None:
    outcome = checked(sandbox, replace(case(language, IO), environment=None), PROGRAM)

    assert outcome.facts.classification is FAIL
    assert "scales" in outcome.detail


def test_a_package_that_the_set_does_not_name_is_not_there(sandbox: Sandbox) -> None:
    outcome = checked(sandbox, case("javascript", IO), PROGRAM.replace("'scales'", "'stranger'"))

    assert outcome.facts.classification is FAIL
    assert "Cannot find package" in outcome.detail


def test_the_types_of_a_package_are_checked(folder: Path, sandbox: Sandbox) -> None:
    (folder / "scales" / "index.d.ts").write_text(
        "declare const scales: { grams(n: number): number };\nexport = scales;\n", encoding="utf-8"
    )
    right = checked(sandbox, case("typescript", CALLS), FUNCTION)
    wrong = checked(sandbox, case("typescript", CALLS), FUNCTION.replace("grams(n);", "grams('n');"))

    assert right.facts.classification is PASS, right.detail
    assert wrong.facts.classification is Classification.BUILD_ERROR
    assert "not assignable to parameter of type 'number'" in wrong.detail


NODE = """
declare var process: NodeJS.Process;
interface Buffer { readonly length: number }
declare namespace NodeJS { interface Process { argv: string[] } interface Timeout { unref(): void } }
declare module 'node:fs' { export function existsSync(path: string): boolean; }
"""
TYPED = """
import {{ existsSync }} from 'node:fs';
import scales from 'scales';
const later: NodeJS.Timeout | null = null;
const size = (raw: Buffer): number => raw.length;
console.log(existsSync({path}) ? 0 : scales.grams(process.argv.length));
"""


@pytest.mark.check_all
@pytest.mark.parametrize(("path", "kind"), [("'none'", PASS), ("7", Classification.BUILD_ERROR)])
def test_the_types_of_node_count_where_the_set_names_them(
    path: str, kind: Classification, folder: Path, sandbox: Sandbox
) -> None:
    write_package(folder, "@types/node", "22.0.0", "")
    (folder / "@types" / "node" / "index.d.ts").write_text(NODE, encoding="utf-8")
    typed = replace(
        case("typescript", IO), environment=Environment(npm=(*PACKAGES.npm, "@types/node@22.0.0"))
    )

    outcome = checked(sandbox, typed, TYPED.format(path=path))

    assert outcome.facts.classification is kind, outcome.detail


FAKE = "```js {name}\nmodule.exports = {{ grams: () => 0 }};\n```\n"
ABOUT = '```json package.json\n{"name": "scales", "exports": "./fake.mjs"}\n```\n'
FAKED = "```js fake.mjs\nexport default { grams: () => 0 };\n```\n"
CHANGE = """
import {{ writeFileSync, renameSync }} from 'node:fs';
try {{ {change} }} catch (error) {{ console.log(error.code); }}
"""


@pytest.mark.parametrize("language", FILES)
@pytest.mark.parametrize(
    "brought",
    [
        FAKE.format(name="node_modules/scales/index.js"),
        FAKE.format(name="node_modules/scales.js"),
        FAKE.format(name="scales/index.js"),
        ABOUT + FAKED,
        ABOUT.replace("package.json", "node_modules/scales/package.json") + FAKED,
    ],
    ids=["in-the-package", "beside-it", "without-node_modules", "itself", "in-its-name"],
)
def test_an_answer_cannot_bring_a_package_in_place_of_one(
    brought: str, language: str, sandbox: Sandbox
) -> None:
    outcome = checked(sandbox, case(language), FUNCTION, brought)

    assert (outcome.facts.classification, outcome.facts.tests_passed) == (PASS, 1), outcome.detail


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("writeFileSync('node_modules/scales/index.js', '')", "EROFS"),
        ("renameSync('node_modules/scales', 'node_modules/other')", "EBUSY"),
    ],
)
def test_an_answer_cannot_change_a_package(change: str, code: str, sandbox: Sandbox, folder: Path) -> None:
    before = (folder / "scales" / "index.js").read_text(encoding="utf-8")
    wanted = Expectations(io=(InputOutput(stdout=f"{code}\n"),))
    outcome = checked(sandbox, case("javascript", wanted), CHANGE.format(change=change))

    assert outcome.facts.classification is PASS, outcome.detail
    assert (folder / "scales" / "index.js").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("expected", "kind"), [("scales.grams(3)", PASS), ("3000", FAIL)], ids=["by the package", "by a value"]
)
def test_tests_that_judge_by_a_package_are_fooled_by_an_answer_that_changes_its_objects(
    expected: str, kind: Classification, sandbox: Sandbox
) -> None:
    changes = "import scales from 'scales';\nscales.grams = () => 7;\nexport function mass(n) { return 7; }\n"
    tests = TESTS.format(file=FILES["javascript"]).replace("assert.equal(mass(2), 2000); ", "")
    wanted = Expectations(tests=tests.replace("scales.grams(3)", expected))

    outcome = checked(sandbox, case("javascript", wanted), changes)

    assert (outcome.facts.classification, outcome.integrity) == (kind, Integrity.OPEN), outcome.detail


@pytest.mark.check_all
def test_packages_do_not_come_back_as_files_that_the_compiler_made(sandbox: Sandbox) -> None:
    listening = ListeningSandbox(sandbox)

    outcome = checked(listening, case("typescript"), FUNCTION)

    assert outcome.facts.classification is PASS, outcome.detail
    assert "answer.js" in listening.kept
    assert not [path for path in listening.kept if path.startswith("node_modules")]
