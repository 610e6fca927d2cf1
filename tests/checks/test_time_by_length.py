"""Reading an answer takes time in proportion to its length: no answer holds a run up."""

import re
import time
from collections.abc import Callable
from functools import partial

import pytest

from steelyard.checks.classification.detect import declining
from steelyard.checks.extraction.extract import extract
from steelyard.checks.forms.text.formats import csv_rows, html_roots, unfenced, without_thoughts, xml_root
from steelyard.checks.forms.text.json import json_in
from steelyard.checks.forms.text.repair import repaired_json
from steelyard.checks.toolchains.recipes.recipe import recipes
from steelyard.checks.toolchains.terraform.blocks import scan

SMALL, TIMES = 4_000, 16
AT_ONCE_S = 0.1
UNITS = (
    "\n",
    " \n",
    "\n\t",
    " ",
    "public ",
    "public\n",
    "@a ",
    "@a\n",
    "/*",
    '"\\"',
    "'",
    '"""',
    "import ",
    "${",
    '"${',
    "const ",
    '{"a":',
    "<<A\n",
    "%{",
)
OF_FORMS = (
    *UNITS,
    *("```\n", "```python\n", "~~~", "#", "// ", "- ", "> ", "def f():\n", "fn f(){\n", "<think>"),
    *("--- a\n+++ b\n@@ -1 +1 @@\n", "I cannot ", "<a>", "<a b='c'>", "</a>", "<!--", "<p", "&amp;"),
    *("import a ", "import a from\n", "const a = require(", "const { a\n", 'import "testing"\nfunc Test'),
    *("```java\npublic class A{}\n```\n", "import (\n", "*/", "*/ package", "class\n"),
    *("[", "{", '{"a":1},', "1,", "1e1", "'a',", "a,b\n", '"a",'),
)
LANGUAGES = (
    *("c", "cpp", "go", "java", "javascript", "lua"),
    *("python", "rust", "terraform", "text", "typescript"),
)
# How each begins is what it takes to be read on.
READERS: dict[str, tuple[str, Callable[[str], object]]] = {
    **{f"code in {name}": ("x\n", partial(extract, language=name)) for name in LANGUAGES},
    "imports of Go": (
        "```go\nfunc f() {}\n```\n```go\nimport stdin\n",
        partial(extract, language="go", is_program=True),
    ),
    "JSON": ("[", json_in),
    "JSON in a string": ('["', json_in),
    "mended JSON": ("[", repaired_json),
    "CSV": ("a,b\n", lambda text: csv_rows(unfenced(text), ("a", "b"))),
    "XML": ("<a>", xml_root),
    "HTML": ("<p>", html_roots),
    "thoughts": ("<think>", lambda text: unfenced(without_thoughts(text))),
    "a refusal": ("I am sorry.\n", declining),
}


def patterns() -> dict[str, str]:
    """Return the patterns that recipes look for in answers."""
    found = {}
    for name, recipe in recipes().items():
        named = {"forbidden": recipe.forbidden, "answer": recipe.answer_name, "package": recipe.package}
        found.update({f"{name}, {kind}": pattern for kind, pattern in named.items() if pattern})
    return found


def seconds(read: Callable[[str], object], text: str, *, times: int = 3) -> float:
    """Return the processor time of a reading: the best of three, since others compute here too."""
    found = []
    for _ in range(times):
        began = time.process_time()
        read(text)
        found.append(time.process_time() - began)
    return min(found)


def is_in_proportion(read: Callable[[str], object], unit: str, *, beginning: str = "x\n") -> bool:
    """Whether a longer text takes as many times longer, or about that; a square would be far off."""
    short, long = (f"{beginning}{unit * (length // len(unit))}y" for length in (SMALL, SMALL * TIMES))
    if seconds(read, long, times=1) < AT_ONCE_S:
        return True
    at_most: float = max(AT_ONCE_S, TIMES**1.6 * seconds(read, short))
    return seconds(read, long) < at_most


@pytest.mark.check_all
def test_a_reading_that_takes_a_square_of_the_length_is_found_out() -> None:
    assert not is_in_proportion(lambda text: [text[:end].count("q") for end in range(0, len(text), 2)], " ")


@pytest.mark.check_all
@pytest.mark.parametrize("reader", READERS)
def test_an_answer_is_read_in_proportion_to_its_length(reader: str) -> None:
    beginning, read = READERS[reader]

    assert [unit for unit in OF_FORMS if not is_in_proportion(read, unit, beginning=beginning)] == []


@pytest.mark.check_all
@pytest.mark.parametrize("hunk", ["@@\n-a\n+a\n", "@@ -1,0 +2 @@\n+b\n", "@@ -1 +1,2 @@\n-x\n+x\n+x\n"])
def test_many_hunks_for_a_long_file_take_no_longer_than_it_takes_to_see_them(hunk: str) -> None:
    diff = "--- /dev/null\n+++ b/answer.py\n@@ -0,0 +1 @@\n+x\n" + "+\n" * 20_000 + "+a\n" + hunk * 20_000

    assert seconds(lambda text: extract(text, "python"), f"```diff\n{diff}```\n") < 5


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("pattern", patterns().values(), ids=patterns().keys())
def test_a_recipe_looks_through_an_answer_in_proportion_to_its_length(pattern: str, unit: str) -> None:
    assert is_in_proportion(lambda text: list(re.finditer(pattern, text)), unit)


@pytest.mark.check_all
@pytest.mark.parametrize("unit", UNITS)
def test_terraform_is_scanned_in_proportion_to_its_length(unit: str) -> None:
    assert is_in_proportion(scan.__wrapped__, unit)
