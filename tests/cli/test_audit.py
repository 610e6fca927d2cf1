"""`steelyard audit`: findings, waivers and exit codes."""

import json
from pathlib import Path

import pytest

from tests.commands import typed, written

Capture = pytest.CaptureFixture[str]
SET = '''
[eval_set]
id = "sums"
default_language = "python"

[[cases]]
id = "total"
prompt = "Write `total(prices)`, the sum of some prices."
reference = """
def total(prices):
    return sum(prices)
"""
[cases.expectations]
tests = """
def test_total():
    assert total([1, 2]) == {result}
{more}
"""
'''
WAIVER = '[[waivers]]\ncase = "total"\nrule = "{rule}"\nreason = "{reason}"\n'


@pytest.mark.check_all
def test_a_sound_set_has_no_findings(tmp_path: Path, capsys: Capture) -> None:
    eval_set = written(tmp_path, SET.format(result=3, more="    assert total([4, 5]) == 9"), "sums.toml")

    shown = typed(capsys, "audit", eval_set, "--quiet")

    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("sums: 1 case, no findings\n")


def test_an_error_sets_the_exit_code_until_it_is_waived(tmp_path: Path, capsys: Capture) -> None:
    eval_set = written(tmp_path, SET.format(result=3, more=""), "sums.toml")
    words = ("audit", eval_set, "--runs", "1", "--mutants", "0", "--json")

    found = typed(capsys, *words)
    used = WAIVER.format(rule="constant-passes", reason="one example is enough")
    unused = WAIVER.format(rule="weak-tests", reason="not measured")
    written(tmp_path, used + unused, "sums.waivers.toml")
    waived = typed(capsys, *words)

    assert (found.code, waived.code) == (1, 0)
    content = json.loads(waived.out)
    assert content["schema"] == "steelyard.audit/1"
    assert [item["waiver"] for item in content["findings"] if item["rule"] == "constant-passes"] == [
        "one example is enough"
    ]
    assert [item["case"] for item in content["findings"] if item["rule"] == "unused-waiver"] == ["total"]


def test_waivers_need_a_known_rule_and_a_reason(tmp_path: Path, capsys: Capture) -> None:
    eval_set = written(tmp_path, SET.format(result=3, more=""), "sums.toml")
    unknown = written(tmp_path, WAIVER.format(rule="weak-test", reason="x"), "a.toml")
    blank = written(tmp_path, WAIVER.format(rule="weak-tests", reason=" "), "b.toml")

    of_unknown, of_blank = (typed(capsys, "audit", eval_set, "--waivers", file) for file in (unknown, blank))

    assert (of_unknown.code, of_blank.code) == (2, 2)
    assert "'weak-tests'" in of_unknown.err
    assert "b.toml:4" in of_blank.err


def test_a_file_of_waivers_is_no_part_of_a_set_in_a_folder(tmp_path: Path, capsys: Capture) -> None:
    written(tmp_path, SET.format(result=3, more=""), "sums.toml")
    written(tmp_path, WAIVER.format(rule="constant-passes", reason="x"), "sums.waivers.toml")

    assert typed(capsys, "validate", tmp_path).code == 0
