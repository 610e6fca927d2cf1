"""An answer may edit the sources of its case in place, but not its tests and data."""

import pytest

from steelyard.checks.extraction.extract import extract
from steelyard.checks.toolchains.rust import RustChecker
from steelyard.checks.toolchains.rust.sources import sources_of
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification

FILES = {
    "src/lib.rs": "mod shapes;\npub use shapes::area;\n",
    "src/shapes.rs": "pub fn area(width: u32, height: u32) -> u32 {\n    width + height\n}\n",
    "tests/data.rs": "pub const SIDE: u32 = 3;\n",
    "prices.csv": "1\n",
}
TESTS = "#[test]\nfn multiplies() {\n    assert_eq!(super::area(2, 3), 6);\n}\n"
BLOCK = """\
```rust src/shapes.rs
pub fn area(width: u32, height: u32) -> u32 {{
    width {operator} height
}}
```
"""
DIFF = """\
```diff
--- a/src/shapes.rs
+++ b/src/shapes.rs
@@ -1,3 +1,3 @@
 pub fn area(width: u32, height: u32) -> u32 {{
-    width + height
+    width {operator} height
 }}
```
"""


@pytest.mark.parametrize("answer", [BLOCK, DIFF], ids=["file", "diff"])
@pytest.mark.parametrize(("operator", "kind"), [("*", Classification.PASS), ("-", Classification.FAIL)])
def test_an_edit_of_a_module_is_graded(
    answer: str, operator: str, kind: Classification, rust: RustChecker
) -> None:
    case = Case(id="area", language="rust", files=FILES, expectations=Expectations(tests=TESTS))

    outcome = rust.check(case, answer.format(operator=operator))

    assert outcome.facts.classification is kind, outcome.detail


def test_an_edited_module_leaves_the_crate_root_as_it_is() -> None:
    sources = sources_of(extract(BLOCK.format(operator="*"), "rust", files=FILES), FILES)

    assert sources["src/lib.rs"].decode() == FILES["src/lib.rs"]
    assert b"width * height" in sources["src/shapes.rs"]


def test_tests_and_data_of_the_case_stay() -> None:
    forged = "```rust tests/data.rs\npub const SIDE: u32 = 0;\n```\n```csv prices.csv\n0\n```\n"

    sources = sources_of(extract(BLOCK.format(operator="*") + forged, "rust", files=FILES), FILES)

    assert [sources[name].decode() for name in ("tests/data.rs", "prices.csv")] == [
        FILES["tests/data.rs"],
        FILES["prices.csv"],
    ]
