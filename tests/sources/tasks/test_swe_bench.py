"""SWE-bench's records as cases."""

import json
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.sources.evalset.read import read_eval_set

RECORD = {
    "instance_id": "a__b-1",
    "repo": "a/b",
    "base_commit": "0" * 40,
    "problem_statement": "It is broken.",
    "patch": "--- a/x.py\n+++ b/x.py\n",
    "test_patch": "--- a/tests/test_x.py\n+++ b/tests/test_x.py\n",
    "image": "localhost/a:1",
    "eval_script": "#!/bin/bash\n",
    "FAIL_TO_PASS": '["t::a"]',
    "PASS_TO_PASS": ["t::b"],
}


def test_a_record_is_a_case_with_the_patch_as_reference(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(f"{json.dumps(RECORD)}\n\n")
    (case,) = read_eval_set(path).cases
    assert (case.id, case.suite, case.reference) == ("a__b-1", "a/b", RECORD["patch"])
    assert case.task is not None
    assert case.task.expected is not None
    assert (case.task.expected.fail_to_pass, case.task.expected.pass_to_pass) == (("t::a",), ("t::b",))
    assert case.task.expected.files == ("tests/test_x.py",)
    assert case.task.hides_history


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(f'{json.dumps(RECORD)}\n{{"instance_id": "x"}}\n')
    with pytest.raises(InputError, match=r"records\.jsonl:2: .*repo"):
        read_eval_set(path)
