"""Rounds of single samples, kept in a file between calls."""

from pathlib import Path

import pytest

from steelyard.app.sequence import gate_round
from steelyard.errors import InputError, UserError
from steelyard.model.verdict import GateRule, Verdict
from tests.analysis.runs import report_of, run

RULE = GateRule()


def test_rounds_add_up_in_the_file_until_they_decide(tmp_path: Path) -> None:
    before, after = run([(1, 1)] * 10), run([(1, 0)] * 10)
    file = tmp_path / "rounds" / "sequence.json"

    verdicts = [gate_round(before, after, file, rule=RULE).verdict for _ in range(2)]

    assert verdicts == [Verdict.INCONCLUSIVE, Verdict.FAIL]  # 1.2 ** 20 is more than 20
    with pytest.raises(UserError, match="has ended with the verdict fail"):
        gate_round(before, after, file, rule=RULE)


def test_a_model_that_comes_later_begins_at_nothing(tmp_path: Path) -> None:
    file = tmp_path / "sequence.json"
    gate_round(run([(1, 1)] * 5, model="a"), run([(1, 0)] * 5, model="a"), file, rule=RULE)
    both = [report_of({("a", "T0"): [(1, one)] * 5, ("b", "T0"): [(1, 1)] * 5}) for one in (1, 0)]

    found = gate_round(both[0], both[1], file, rule=RULE)

    seen = [subject.decision.evidence.sequence for subject in found.subjects]
    assert [(one.rounds, one.losses) for one in seen if one] == [(2, 10), (1, 0)]


def test_a_file_that_is_no_sequence_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sequence.json"
    file.write_text('{"schema": "steelyard.gate/1"}', encoding="utf-8")

    with pytest.raises(InputError, match=r"sequence\.json"):
        gate_round(run([(1, 1)]), run([(1, 1)]), file, rule=RULE)
    with pytest.raises(InputError, match="cannot be read"):
        gate_round(run([(1, 1)]), run([(1, 1)]), tmp_path, rule=RULE)
