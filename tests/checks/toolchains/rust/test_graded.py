"""A case's tests become the module that grades, and nothing in them is lost."""

import pytest

from steelyard.checks.toolchains.rust.diagnostics import read_diagnostics
from steelyard.checks.toolchains.rust.graded import GradedTest, graded_module
from steelyard.checks.toolchains.rust.run import reported_endings
from steelyard.checks.toolchains.rust.tokens import tokens
from steelyard.errors import InputError
from tests.checks.toolchains.rust.cases import STACK_TESTS, SUM_TESTS


def test_tests_are_found_with_the_modules_they_stand_in() -> None:
    module = graded_module(STACK_TESTS)

    assert module.tests == (
        GradedTest(name="gives_back_the_last"),
        GradedTest(name="when_empty::gives_nothing"),
        GradedTest(name="when_empty::has_no_top"),
        GradedTest(name="is_fast", is_ignored=True),
    )


def test_words_in_comments_and_strings_are_no_tests() -> None:
    text = '// #[test] fn a() {}\nconst S: &str = "#[test] fn b() {}";\n#[test]\nfn c() { let _ = r#"}"#; }\n'

    assert [test.name for test in graded_module(text).tests] == ["c"]


def test_a_module_without_braces_holds_no_tests() -> None:
    assert [test.name for test in graded_module("mod other;\n#[test]\nfn a() {}\n").tests] == ["a"]


def test_attributes_may_stand_in_any_order() -> None:
    text = "#[should_panic]\n#[allow(unused)]\n#[test]\nfn a() {}\n#[test]\n#[ignore]\npub(crate) fn b() {}\n"

    assert graded_module(text).tests == (GradedTest(name="a"), GradedTest(name="b", is_ignored=True))
    assert "run_to_panic(a" in graded_module(text).named("n1")


def test_lines_keep_their_numbers() -> None:
    text = SUM_TESTS.replace("#[test]", "#[\n    test\n]")
    lines = graded_module(text).named("n1").split("\n")

    assert [at for at, line in enumerate(lines) if "assert" in line and at] == [
        at for at, line in enumerate(text.split("\n")) if "assert" in line
    ]


def test_a_check_has_a_name_of_its_own() -> None:
    module = graded_module(SUM_TESTS)

    assert "n1_2" in module.named("n1")
    assert "n1" not in module.named("n2")


@pytest.mark.parametrize("text", ["#[test]\nfn $name() {}", "#[test]\nfn a() {}\0", "#[test"])
def test_what_cannot_be_graded_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="graded test"):
        graded_module(text)


def test_nested_comments_and_unclosed_ones_end_somewhere() -> None:
    assert [token.text for token in tokens("a /* b /* c */ d */ e /* f")] == ["a", "e"]
    assert [token.kind for token in tokens("'a 'b' r\"x")] == ["lifetime", "char", "string"]


def test_only_lines_with_the_secret_count() -> None:
    said = "held\n0 held\nx 0 held\ns 9 held\ns x held\ns 1 failed\ns 2\n"

    assert reported_endings(said, "s", 3) == (None, "failed", "")


def test_what_is_no_message_is_passed_over() -> None:
    said = (
        'noise\n{"broken\n{"level": "error", "message": "aborting due to 2 previous errors", "spans": []}\n'
    )

    assert read_diagnostics(said).errors == ()
