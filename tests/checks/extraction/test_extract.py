"""Code comes out of an answer by one stated rule, and no text at all can break it."""

import time
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.checks.extraction.extract import Means, extract

CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "extraction_cases.toml").read_text(encoding="utf-8")
)["cases"]
PIECES = [
    "```", "````", "~~~", "```rust\n", "```rust src/lib.rs\n", "```diff\n", "```markdown\n", "\n", "\r\n",
    "fn f() {}\n", "def f(): pass\n", "--- a/x\n", "+++ b/x\n", "@@ -1,2 +1 @@\n", "@@", " a\n", "-a\n",
    "<![CDATA[", "]]>", "<think>", "</think>\n", "\ufeff", "\x00", "\ud800", "> ", "    ", "// file: a.rs\n",
    "### src/lib.rs\n", "`", "\r", "+b\n", "prose of some words here.\n", 'resource "a" "b" {\n',
]  # fmt: skip
LANGUAGES = ["rust", "python", "terraform", "c", "typescript", "", "no such language"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_code_in_an_answer_is_found(case: dict[str, Any]) -> None:
    found = extract(case["answer"], case.get("language", "rust"), files=case.get("case_files"))

    assert found.code == case["code"]
    assert found.is_code == bool(case["code"])
    assert found.means == case.get("means", found.means)
    assert found.files == case.get("files", found.files)


@pytest.mark.check_all
@settings(max_examples=400, deadline=None)
@given(
    text=st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=25).map("".join)
    | st.text(st.characters(exclude_categories=[])),
    language=st.sampled_from(LANGUAGES),
    files=st.dictionaries(
        st.sampled_from(["x", "src/lib.rs", "main.tf"]), st.sampled_from(["a\n", "a\na\n", ""])
    ),
)
def test_no_text_breaks_the_extraction(text: str, language: str, files: dict[str, str]) -> None:
    found = extract(text, language, files=files)

    found.code.encode("utf-8")
    assert all(not name.startswith("/") and ".." not in name.split("/") for name in found.files)
    assert found.is_code == (found.means is not Means.NOTHING)
    assert extract(text, language, files=files) == found


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="`~\r\ufeff")).filter(str.strip))
def test_what_a_fence_of_the_language_holds_comes_out_whole(code: str) -> None:
    found = extract(f"```brainfuck\n{code}\n```", "brainfuck")

    assert found.code.strip() == code.strip() or found.files


@pytest.mark.check_all
@pytest.mark.parametrize(
    "text",
    [
        "```rust\nfn f() {}\n```\n" * 4_000,
        "```\n" * 30_000,
        "fn f() {}" + " " * 200_000,
        "\n" * 200_000,
        "#" * 200_000,
        "a/" * 100_000 + ".rs",
        "<![CDATA[\n" * 20_000,
        "int " * 50_000,
        "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n" + "+a\n" * 20_000 + "@@ -1 +1 @@\n" + "-a\n" * 18_000 + "-b\n",
        "--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n" + "+a\n" * 200_000 + "--- a/y\n+++ b/y\n" * 20_000,
        f"--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+{'a' * 1_000_000}\n" + "--- a/y\n+++ b/y\n" * 20_000,
        "```diff\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n"
        + "+a\n" * 50_000
        + "```\n"
        + "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+a\n```\n" * 5_000,
    ],
    ids=range(12),
)
@pytest.mark.parametrize("language", ["rust", "c"])
def test_a_long_text_made_to_be_slow_is_read_at_once(text: str, language: str) -> None:
    began = time.process_time()

    extract(text, language, files={"x": ""})

    assert time.process_time() - began < 5


def test_lines_that_are_nearly_prose_are_left_at_once() -> None:
    line = "This " + "word " * 90 + "and an end {"
    began = time.process_time()

    extract(f"{line}\n" * 3_000, "python", files={})

    assert time.process_time() - began < 5


ANSWER = "```python\ndef add(a, b):\n    return a + b\n```\n"


@pytest.mark.parametrize(
    "tests",
    [
        "from your_module import add\n\ndef test_add():\n    assert add(1, 2) == 3\n",
        "import unittest\nfrom calc import add, sub\n\nclass TestAdd(unittest.TestCase):\n    pass\n",
    ],
)
def test_tests_behind_an_answer_that_import_it_are_no_part_of_it(tests: str) -> None:
    found = extract(f"{ANSWER}\nTests:\n```python\n{tests}```\n", "python", files={})

    assert found.code == "def add(a, b):\n    return a + b\n"


def test_a_function_that_is_called_like_a_test_may_be_the_answer() -> None:
    wanted = (
        "```python\nfrom math import sqrt\n\ndef test_duplicate(items):\n    return has_twice(items)\n```\n"
    )
    found = extract(f"```python\ndef has_twice(items):\n    return True\n```\n{wanted}", "python", files={})

    assert "def test_duplicate" in found.code
    assert "def has_twice" in found.code


PARTS = {
    "go": ("package main\n\nfunc add(a int) int { return a }\n", "func main() { println(add(1)) }\n"),
    "rust": ("fn add(a: i32) -> i32 { a }\n", 'fn main() { println!("{}", add(1)); }\n'),
    "c": ("int add(int a) { return a; }\n", "int main(void) { return add(1); }\n"),
    "cpp": ("int add(int a) { return a; }\n", "int main() { return add(1); }\n"),
    "java": (
        "public class Solution { static int add(int a) { return a; } }\n",
        "class Main { public static void main(String[] a) { Solution.add(1); } }\n",
    ),
    "python": ("def add(a):\n    return a\n", "print(add(int(input())))\n"),
}


@pytest.mark.parametrize("language", PARTS)
def test_a_block_that_only_runs_the_others_is_an_example_but_a_part_of_a_program(language: str) -> None:
    first, second = PARTS[language]
    answer = f"First:\n```{language}\n{first}```\nThen:\n```{language}\n{second}```\n"

    assert extract(answer, language).code == first
    assert extract(answer, language, is_program=True).code == f"{first}\n{second}"


def test_a_line_in_a_string_is_no_import() -> None:
    first = "import java.util.List;\n\nclass A { List<Integer> a; }\n"
    second = 'class B {\n  String text = """\nimport nothing;\npackage of.sweets;\n""";\n}\n'

    found = extract(f"```java\n{first}```\n```java\n{second}```\n", "java")

    assert found.code == f"{first}\n{second}"


@pytest.mark.parametrize("end", [")", ") // the library", "); "])
def test_a_group_of_imports_ends_whatever_stands_behind_it(end: str) -> None:
    group = f'import (\n\t"fmt" // prints\n\tstr "strings"\n{end}\n'
    second = f'package main\n\n{group}\nfunc b() {{ fmt.Println(str.ToUpper("a")) }}\n'
    first = 'package main\n\nimport "fmt"\n\nfunc a() { fmt.Println(1) }\n'

    found = extract(f"```go\n{first}```\n```go\n{second}```\n", "go").code

    assert found.startswith('package main\nimport "fmt"\nimport str "strings"\n\nfunc a()')
    assert found.count("import") == 2


class TwoBlocks(NamedTuple):
    """What two blocks import and define, and what their imports become in one file."""

    imports: tuple[str, str]
    defines: tuple[str, str]
    once: str


WITH_IMPORTS = {
    "go": TwoBlocks(
        (
            'package main\n\nimport (\n\t"fmt"\n)\n\n',
            'package main\n\nimport (\n\t// text\n\t"fmt"\n\t"strings"\n)\n\n',
        ),
        ("func show(a int) { fmt.Println(a) }\n", "func up(a string) { fmt.Println(strings.ToUpper(a)) }\n"),
        'package main\nimport "fmt"\nimport "strings"\n\n',
    ),
    "java": TwoBlocks(
        ("import java.util.List;\n\n", "import java.util.List;\nimport java.util.Map;\n\n"),
        ("class Shop { List<Integer> prices; }\n", "class Till { Map<Integer, List<Integer>> sold; }\n"),
        "import java.util.List;\nimport java.util.Map;\n\n",
    ),
}


@pytest.mark.parametrize("language", WITH_IMPORTS)
def test_what_blocks_import_comes_first_where_a_language_wants_it_there(language: str) -> None:
    wanted = WITH_IMPORTS[language]
    parts = [f"{imports}{defines}" for imports, defines in zip(wanted.imports, wanted.defines, strict=True)]
    answer = "\n".join(f"```{language}\n{part}```\n" for part in parts)

    assert extract(answer, language).code == wanted.once + "\n".join(wanted.defines)


def test_an_example_of_a_program_that_reads_its_input_already_is_left_out() -> None:
    program = "import sys\n\ndef main():\n    print(sys.stdin.read())\n\nmain()\n"
    answer = f"```python\n{program}```\nTry it:\n```python\nprint(input())\n```\n"

    assert extract(answer, "python", is_program=True).code == program


def test_an_answer_in_several_files_begins_with_a_source_and_not_with_a_header() -> None:
    header, source = "int mean(void);\n", '#include "stats.h"\nint mean(void) { return 1; }\n'
    answer = f"```c stats.h\n{header}```\n```c stats.c\n{source}```\n"

    found = extract(answer, "c")

    assert found.code.startswith('#include "stats.h"')
    assert set(found.files) == {"stats.h", "stats.c"}
