"""Recipes: those that are shipped, and those that somebody writes."""

from pathlib import Path

import pytest

from steelyard.checks.extraction.extract import Extracted
from steelyard.checks.forms.tests.checker import CommandChecker
from steelyard.checks.forms.tests.results import Status, from_channel, from_junit, from_tap
from steelyard.checks.toolchains.recipes.recipe import read_recipe, recipes
from steelyard.checks.toolchains.recipes.step_runner import layout_of
from steelyard.errors import InfrastructureError, InputError, UnknownName
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Integrity, NoTests, Outcome
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.checks.forms.tests.cases import case
from tests.commands import written

PASS, FAIL = Classification.PASS, Classification.FAIL
SHELL = """
name = "shell"
language = "sh"
answer = "answer.sh"
tests = "tests.sh"
results = "{results}"
run = ["/bin/sh", "tests.sh"]
{more}
"""
NAMED = "test_names = '^# test (.+)'"
JUNIT = "echo \"<testsuite><testcase name='one'>{}</testcase></testsuite>\""


def checked(folder: Path, recipe: str, tests: str, answer: str) -> Outcome:
    """Check a shell script by a recipe of one's own."""
    written(folder, recipe, "shell.toml")
    checker = CommandChecker(BubblewrapSandbox(), folders=(folder,))
    asked = Case(id="s", language="shell", timeout_s=10.0, expectations=Expectations(tests=tests))
    return checker.check(asked, f"```sh\n{answer}\n```")


def test_the_shipped_recipes_are_these() -> None:
    assert sorted(recipes()) == ["c", "cmake", "cpp", "go", "java", "javascript", "typescript"]


@pytest.mark.parametrize(
    ("answer", "kind"), [("true", PASS), ("false", FAIL), ("exit 3", FAIL), ("kill -9 $$", FAIL)]
)
def test_an_exit_code_can_be_the_result(tmp_path: Path, answer: str, kind: Classification) -> None:
    outcome = checked(tmp_path, SHELL.format(results="exit-code", more=""), ". ./answer.sh\n", answer)

    assert outcome.facts.classification is kind
    assert outcome.facts.tests_passed == int(kind is PASS)


@pytest.mark.parametrize(
    ("answer", "counts", "kind"),
    [
        ("a() { true; }", (2, 0), PASS),
        ("a() { false; }", (0, 2), FAIL),
        ("echo ok 1 - one; echo ok 2 - two; echo 1..2; exit 0", (2, 0), PASS),  # as the page on recipes warns
        ("echo ok 1 - one; exit 0", (1, 1), FAIL),
        ("echo ok 1 - one; a() { false; }", (0, 2), FAIL),
    ],
)
def test_lines_of_tap_can_be_the_result(
    tmp_path: Path, answer: str, counts: tuple[int, int], kind: Classification
) -> None:
    tests = (
        "# test one\n# test two\n. ./answer.sh\necho 1..2\n"
        "a || n='not '; echo ${n}ok 1 - one; echo ${n}ok 2 - two\n"
    )

    outcome = checked(tmp_path, SHELL.format(results="tap", more=NAMED), tests, answer)

    facts = outcome.facts
    assert (facts.tests_passed, facts.tests_failed, facts.classification) == (*counts, kind)
    named = [line for line in outcome.detail.splitlines() if line.startswith(("one: ", "two: "))]
    assert len(named) == facts.tests_failed  # one line for each failed test, by its name


def test_a_file_in_junit_s_form_can_be_the_result(tmp_path: Path) -> None:
    line = "<testsuite><testcase name='one'>$(a)</testcase></testsuite>"
    tests = f'# test one\n. ./answer.sh\necho "{line}" > results.xml\n'
    recipe = SHELL.format(results="junit", more=NAMED)

    right = checked(tmp_path, recipe, tests, "a() { true; }")
    wrong = checked(tmp_path, recipe, tests, "a() { echo '<failure message=\"no\"/>'; }")
    none = checked(tmp_path, recipe, tests, "exit 0")

    assert [outcome.facts.classification for outcome in (right, wrong, none)] == [PASS, FAIL, FAIL]
    assert "one: no" in wrong.detail
    assert "one: not ok" not in wrong.detail  # its message says more
    assert "one: no result" in none.detail


@pytest.mark.parametrize(
    ("results", "tests", "forges"),
    [
        ("exit-code", "a || exit 1\n", "exit 0"),
        ("tap", "echo 1..1\na || n='not '; echo ${n}ok 1 - one\n", "echo 1..1; echo ok 1 - one; exit 0"),
        (
            "junit",
            f"{JUNIT.format('<failure/>')} > results.xml\n",
            f"{JUNIT.format('')} > results.xml; exit 0",
        ),
    ],
)
def test_without_a_channel_an_answer_that_takes_over_the_process_passes(
    results: str, tests: str, forges: str, tmp_path: Path
) -> None:
    recipe = SHELL.format(results=results, more=NAMED)
    graded = f"# test one\n. ./answer.sh\n{tests}"

    wrong, forged = (checked(tmp_path, recipe, graded, answer) for answer in ("a() { false; }", forges))

    assert wrong.facts.classification is FAIL
    assert (forged.facts.classification, forged.integrity) == (PASS, Integrity.OPEN), forged.detail


def test_tests_that_are_missing_are_told_apart() -> None:
    checker = CommandChecker(BubblewrapSandbox())
    answer = "```c\nint add(int a, int b) { return a + b; }\n```"

    def why(tests: str) -> tuple[NoTests | None, Classification | None]:
        asked = Case(id="c", language="c", expectations=Expectations(tests=tests))
        facts = checker.check(asked, answer).facts
        return facts.no_tests, facts.classification

    assert why("") == (NoTests.NONE_DEFINED, FAIL)
    assert why("int x;\n") == (NoTests.NONE_COLLECTED, FAIL)
    assert why('#include "graded.h"\nTEST(x) { nonsense }\n') == (
        NoTests.BUILD_FAILED,
        Classification.BUILD_ERROR,
    )


def test_expectations_beside_the_tests_are_looked_at() -> None:
    checker = CommandChecker(BubblewrapSandbox())
    right = "```c\nint add(int a, int b) { return a + b; }\n```"

    def kind(answer: str, **expectations: object) -> Classification | None:
        made = Expectations(**{"tests": case("c").expectations.tests, **expectations})  # type: ignore[arg-type]  # any of them
        return checker.check(Case(id="c", language="c", expectations=made), answer).facts.classification

    assert kind(right, should_build=False) is FAIL
    assert kind(right.replace("return", "x"), should_build=False) is PASS
    assert kind(right, custom_check="grep -q 'a + b'") is PASS
    assert kind(right, custom_check="grep -q while") is FAIL
    assert kind(right, tests="", should_pass_tests=False) is PASS
    assert kind(right, should_pass_tests=False) is FAIL
    assert kind(right.replace("+", "-"), should_pass_tests=False) is PASS
    with pytest.raises(InputError, match="max_lint_warnings"):
        kind(right, max_lint_warnings=0)


def test_inputs_and_outputs_that_cannot_be_read_are_the_users_to_mend() -> None:
    asked = Expectations(tests="[[tests]]\nnme = 1\n", settings={"tests": "io"})

    with pytest.raises(InputError, match="output"):
        CommandChecker(BubblewrapSandbox()).check(
            Case(id="c", language="c", expectations=asked), "```c\nint main(void) { return 0; }\n```"
        )


def test_a_recipe_that_nobody_wrote_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="'cobol'"):
        CommandChecker(BubblewrapSandbox()).check(Case(id="c", language="cobol"), "x")


def test_a_missing_program_is_our_fault_and_told_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="nonesuch-cc"):
        checked(tmp_path, SHELL.format(results="tap", more='needs = ["nonesuch-cc"]'), "x", "true")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = ", "cannot read TOML"),
        ('nme = "x"', "unknown key 'nme'"),
        ('name = "x"', "invalid recipe"),
        (SHELL.format(results="gut feeling", more=""), "invalid recipe"),
        (SHELL.format(results="tap", more='test_names = "("'), "invalid recipe"),
    ],
)
def test_a_recipe_that_is_wrong_says_where(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=r"bad\.toml") as error:
        read_recipe(written(tmp_path, text, "bad.toml"))

    assert told in str(error.value)


def test_what_is_told_twice_is_not_believed() -> None:
    assert from_channel("n ok a\nn ok a\n", "n").status("a") is Status.NOT_OK
    assert from_tap("ok 1 - a\nnot ok 2 - a\n1..2").status("a") is Status.NOT_OK


def test_a_skipped_test_is_neither_passed_nor_failed() -> None:
    assert from_tap("ok 1 - a # SKIP no reason\n1..1").status("a") is Status.SKIPPED
    assert from_junit(b"<s><testcase name='a'><skipped/></testcase></s>").status("a") is Status.SKIPPED


@pytest.mark.parametrize("text", [b"", b"<a", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", b"\xff"])
def test_what_is_no_junit_file_holds_no_results(text: bytes) -> None:
    assert not from_junit(text).is_complete


@pytest.mark.parametrize(
    ("before", "outermost"),
    [
        ("", "public class Sum"),
        ("class Graph {\n    public record Edge(int a, int b) {}\n}\n", "public class Sum"),
        ("class Graph {\n\tpublic enum Kind { A }\n}\n", "public final class Sum"),
        ("/* An older one:\npublic class Old {}\n*/\n", "public class Sum"),
        ('class Code {\n  String text = """\npublic class Old {}\n""";\n}\n', "public class Sum"),
        ('class Marks { String all = "/*"; char quote = \'"\'; }\n', "public class Sum"),
        ("// Don't look\n", "public class Sum"),
        ("", '@SuppressWarnings("unchecked") public class Sum'),
        ("", "@Deprecated final public class Sum"),
        ("", "@Deprecated\npublic non-sealed abstract class Sum"),
        ("", "public @interface Sum"),
    ],
)
def test_a_file_of_java_is_named_after_its_outermost_public_type(before: str, outermost: str) -> None:
    code = f"import java.util.*;\n\n{before}{outermost} {{\n    public interface Inner {{}}\n}}\n"
    layout = layout_of(recipes()["java"], case("java"), Extracted(code=f"{code}/*\npublic class Last {{}}"))

    assert list(layout.answer) == ["answer/Sum.java"]


@pytest.mark.parametrize(("body", "kind"), [("a + b", PASS), ("a - b", FAIL)])
def test_a_fix_of_a_case_file_in_place_is_graded(body: str, kind: Classification) -> None:
    tests = (
        "import test from 'node:test';\nimport assert from 'node:assert/strict';\n"
        "import { total } from './cart.mjs';\ntest('adds', () => { assert.equal(total(1, 2), 3); });\n"
    )
    files = {"cart.mjs": "export const total = () => 0;\n", "prices.csv": "1"}
    wanted = Case(id="j", language="javascript", files=files, expectations=Expectations(tests=tests))
    answer = f"```javascript cart.mjs\nexport const total = (a, b) => {body};\n```"

    outcome = CommandChecker(BubblewrapSandbox()).check(wanted, answer)

    assert outcome.facts.classification is kind, outcome.detail
