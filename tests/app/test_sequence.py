"""Rounds of single samples, kept in a file between calls."""

from pathlib import Path

import pytest

from steelyard.app.gate import gate
from steelyard.errors import InputError, UserError
from steelyard.model.verdict import Verdict
from tests.analysis.runs import report_of, run


def test_rounds_add_up_in_the_file_until_they_decide(tmp_path: Path) -> None:
    nights = [(run([(1, 1)] * 10, night=night), run([(1, 0)] * 10, night=night)) for night in (1, 2, 3)]
    file = tmp_path / "rounds" / "sequence.json"

    verdicts = [gate(*night, sequence=file).verdict for night in nights[:2]]

    assert verdicts == [Verdict.INCONCLUSIVE, Verdict.FAIL]  # 1.2 ** 20 is more than 20
    with pytest.raises(UserError, match="verdict"):
        gate(*nights[2], sequence=file)


def test_a_round_that_is_refused_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    before, after, file = run([(1, 1)] * 5), run([(1, 0)] * 5), tmp_path / "sequence.json"
    gate(before, after, sequence=file)
    kept = file.read_bytes()

    with pytest.raises(UserError, match=r"report.*round"):
        gate(before, after, sequence=file)
    assert file.read_bytes() == kept


def test_a_subject_that_has_ended_is_read_back_with_its_decision(tmp_path: Path) -> None:
    file = tmp_path / "sequence.json"
    bad = report_of({("a", "T0"): [(1, 0)] * 25, ("b", "T0"): [(1, 1)] * 25}, night=1)
    nights = [report_of({("a", "T0"): [(1, 1)] * 25, ("b", "T0"): [(1, 1)] * 25}, night=n) for n in (2, 3, 4)]
    first = gate(nights[0], bad, sequence=file)

    second = gate(nights[1], nights[2], sequence=file)

    assert [one for one in second.subjects if one.pair.current_model == "a"] == [first.subjects[0]]


def test_a_file_of_the_form_before_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sequence.json"
    file.write_text('{"schema": "steelyard.sequence/1", "subjects": []}', encoding="utf-8")

    with pytest.raises(InputError, match=r"steelyard\.sequence/1.*steelyard\.sequence/2"):
        gate(run([(1, 1)]), run([(1, 1)]), sequence=file)


def test_a_model_that_comes_later_is_refused_since_alpha_is_shared(tmp_path: Path) -> None:
    file = tmp_path / "sequence.json"
    gate(run([(1, 1)] * 5, model="a"), run([(1, 0)] * 5, model="a"), sequence=file)
    both = [report_of({("a", "T0"): [(1, one)] * 5, ("b", "T0"): [(1, 1)] * 5}) for one in (1, 0)]

    with pytest.raises(UserError, match="sequence"):
        gate(both[0], both[1], sequence=file)


def test_a_file_that_is_no_sequence_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sequence.json"
    file.write_text('{"schema": "steelyard.gate/1"}', encoding="utf-8")

    with pytest.raises(InputError, match=r"sequence\.json"):
        gate(run([(1, 1)]), run([(1, 1)]), sequence=file)
    with pytest.raises(InputError, match="cannot be read"):
        gate(run([(1, 1)]), run([(1, 1)]), sequence=tmp_path)
