"""Reading Terraform code without being taken in by what only looks like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.checks.toolchains.terraform.blocks import scan
from steelyard.checks.toolchains.terraform.diagnostics import parse_tests, parse_validation
from steelyard.checks.toolchains.terraform.tokens import tokens

RESOURCE = 'resource "a" "b" {\n}\n'


@pytest.mark.parametrize(
    "hidden",
    [
        "# {}",
        "// {}",
        "/* {} */",
        "/*\n{}",
        'x = "{}"',
        "x = <<EOT\n{}EOT\n",
        "x = <<-EOT\n{}\n  EOT\n",
        "x = <<E\u0301\n{}E\u0301\n",
        "x = <<e\u203f\n{}e\u203f\n",
        "x = <<E\n\x1cE\n{}E\n",
        "x = <<EOT\n${{1 /*\nEOT\n{} */ }}\nEOT\n",
        'x = "${{ "}}" /* {} */ }}"',
        "locals {{\n{}}}\n",
    ],
)
def test_what_is_no_block_of_the_file_is_not_declared(hidden: str) -> None:
    code = hidden.format(RESOURCE.replace("\n", " ") if hidden.startswith(("#", "//", 'x = "')) else RESOURCE)

    assert scan(code).declared == {}


@pytest.mark.parametrize(
    "before",
    [
        "",
        "\ufeff",
        "# x\n",
        "/* x */ ",
        'x = "}{"\n',
        "x = <<E\n{{{\nE\n",
        "x = <<E\nE\n",
        "x = <<E\n\fE\n",
        "x = <<E\n\u00a0E\u2028\n",
        "x = <<E\nE\r\n",
        "x = 1 <<<E\nE\n",
        'x = "$${"\n',
        'x = "\\""\n',
    ],
)
def test_what_stands_before_a_block_does_not_hide_it(before: str) -> None:
    assert list(scan(before + RESOURCE).declared) == ["resource.a.b"]


def test_a_name_may_hold_any_letter() -> None:
    assert list(scan("variable gro\u0308\u00dfe {\n}\n").declared) == ["variable.gro\u0308\u00dfe"]


def test_lines_and_depths_are_told() -> None:
    (block,) = scan('locals {\n  x = <<E\n\nE\n  variable "v" {\n').blocks

    assert (block.address, block.line, block.depth) == ("variable.v", 5, 1)


def test_programs_and_readings_are_found_wherever_they_stand() -> None:
    found = scan(
        'a = "${file("x")}"\nb = fileset ( path.root, "*" )\nprovisioner "local-exec" {}\ndata external x {}'
    )

    assert found.programs == ("data external", "provisioner local-exec")
    assert {reading.split()[0] for reading in found.readings} == {"file", "fileset"}


@given(st.text(alphabet=st.sampled_from('ab{}"$%\\\n<-E#/*( =') | st.characters(), max_size=200))
def test_no_text_breaks_the_scanner(text: str) -> None:
    assert list(tokens(text)) is not None
    assert scan(text) == scan(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Error: x",
        "[]",
        "{}",
        "null",
        '{"valid": true, "error_count": 1, "diagnostics": []}',
        '{"valid": false, "error_count": 0, "diagnostics": []}',
        '{"valid": true, "error_count": 0, "diagnostics": [1]}',
        '{"valid": true, "error_count": 0, "diagnostics": [{"severity": "error", "summary": "x"}]}',
        "[" * 100_000,
    ],
)
def test_a_result_of_another_shape_is_none(text: str) -> None:
    assert parse_validation(text) is None


def test_test_results_are_read_line_by_line() -> None:
    lines = '{"type":"test_run","test_run":{"run":"a","progress":"complete","status":"pass"}}\nnoise\n[1]\n'

    assert parse_tests(lines) == ({"a": "pass"}, [], False)
    assert parse_tests('{"type":"test_summary","test_summary":{"status":"pass"}}')[2]
