"""Tricks that pass because tests leave a door open; docs/how-to/check-any-language.md says how to close each."""

# ruff: noqa: E501  # the code of an answer stands as it is

from typing import NamedTuple

from tests.checks.forms.tests.answers import C


class Careless(NamedTuple):
    """An answer, the tests that it fools, and the same tests written with care."""

    recipe: str
    name: str
    code: str
    right: str
    tests: str
    careful: str


HEADER = "int add(int a, int b);\n"
EMPTIED = "#undef CHECK\n#define CHECK(condition)\n"
INCLUDES = '#include "graded.h"\n#include "{included}"\nTEST(adds) {{ CHECK(add(1, 2) == 3); }}\n'
JS_TESTS = """\
import test from 'node:test';
import assert from 'node:assert/strict';
import {{ words }} from './answer.{suffix}';
test('splits', () => {{ {line} }});
"""
JS_WORDS = "export function words(text) { return WORDS; }\n"
TS_WORDS = "export function words(text: string): string[] { return WORDS as any; }\n"
JS_TRICKS = {
    "changes a method of a built-in object": ("Array.prototype.includes = () => true;\n", "[]"),
    "returns an object whose methods say yes": ("", "({ includes: () => true })"),
}
JAVA_TESTS = """\
import java.util.{imported};
class Tests {{
    static void splits() {{ assert {condition}; }}
}}
"""
JAVA_WORDS = "public class Words {\n    static Object of(String text) { return WORDS; }\n}\n"
JAVA_RIGHT = JAVA_WORDS.replace("WORDS", 'java.util.List.of(text.split(" "))')
OWN_LIST = "class List {\n    static List of(Object... all) { return new List(); }\n    public boolean equals(Object other) { return true; }\n}\n"
FROM_EXPECTED, FROM_ANSWER = (
    'List.of("a", "b").equals(Words.of("a b"))',
    'Words.of("a b").equals(List.of("a", "b"))',
)


def with_header(word: str, code: str, header: str) -> str:
    """Return an answer of two files."""
    return f"// file: answer.{word}\n{code}```\n\n```{word} sums.h\n{header}"


def _native(recipe: str, where: str) -> Careless:
    included = "sums.h" if where == "header" else f"answer.{recipe}"
    wrong = C.replace("+", "-")
    header, source = (HEADER + EMPTIED, wrong) if where == "header" else (HEADER, EMPTIED + wrong)
    tests = INCLUDES.format(included=included)
    return Careless(
        recipe,
        f"redefines `CHECK` in its {where}",
        with_header(recipe, source, header),
        with_header(recipe, C, HEADER),
        tests,
        tests.replace(f'#include "{included}"\n', HEADER),
    )


def _node(recipe: str, name: str) -> Careless:
    before, words = JS_TRICKS[name]
    answer, suffix = (JS_WORDS, "mjs") if recipe == "javascript" else (TS_WORDS, "js")
    return Careless(
        recipe,
        name,
        before + answer.replace("WORDS", words),
        answer.replace("WORDS", "text.split(' ')"),
        JS_TESTS.format(suffix=suffix, line="assert.ok(words('a b').includes('b'));"),
        JS_TESTS.format(suffix=suffix, line="assert.deepEqual(words('a b'), ['a', 'b']);"),
    )


FORGED = (
    *(_native(recipe, where) for recipe in ("c", "cpp") for where in ("header", "source")),
    *(_node(recipe, name) for recipe in ("javascript", "typescript") for name in JS_TRICKS),
    Careless(
        "java",
        "brings a class called like one of theirs",
        JAVA_WORDS.replace("WORDS", "null") + OWN_LIST,
        JAVA_RIGHT,
        JAVA_TESTS.format(imported="*", condition=FROM_EXPECTED),
        JAVA_TESTS.format(imported="List", condition=FROM_EXPECTED),
    ),
    Careless(
        "java",
        "returns an object whose `equals` says yes",
        JAVA_WORDS.replace("WORDS", "new Any()")
        + "class Any {\n    public boolean equals(Object other) { return true; }\n}\n",
        JAVA_RIGHT,
        JAVA_TESTS.format(imported="List", condition=FROM_ANSWER),
        JAVA_TESTS.format(imported="List", condition=FROM_EXPECTED),
    ),
)
