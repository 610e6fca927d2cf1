"""The loop of the page on gating in rounds ends with the first verdict that is not inconclusive."""

import subprocess
from pathlib import Path

import pytest

from steelyard.analysis.staged_gate import BEGINNING, add_round
from steelyard.app.gate import gate_exit_code
from tests.analysis.runs import Counts, report_of
from tests.docs.pages import DOCS, Page

[_, LOOP] = [block for block in Page(DOCS / "how-to" / "gate-a-change.md").blocks if block.language == "sh"]
ROUNDS = 5
# `run` does nothing here, and `gate` exits with the code of the round computed beforehand.
COMMANDS = """
steelyard() {
  test $1 = gate || return 0
  echo $round >> rounds
  return $(cat round-$round.code)
}
"""
STEADY: Counts = [(1, 1)] * 30


@pytest.mark.parametrize(
    ("current", "rounds", "code"),
    [(STEADY, 3, 0), ([(1, 0)] * 9 + [(1, 1)] * 21, 2, 1), ([(1, 0)] + [(1, 1)] * 29, 5, 4)],
    ids=["steady", "worse", "undecided"],
)
def test_the_loop_ends_with_the_first_decision(
    current: Counts, rounds: int, code: int, tmp_path: Path
) -> None:
    sequence = BEGINNING
    for number in range(1, rounds + 1):
        before = report_of({("m", "T0"): STEADY}, night=2 * number)
        now = report_of({("m", "T0"): current}, night=2 * number + 1)
        gate, sequence = add_round(before, now, sequence=sequence)
        (tmp_path / f"round-{number}.code").write_text(str(gate_exit_code(gate)), encoding="utf-8")

    ended = subprocess.run(
        ["bash", "-c", COMMANDS + "\n".join(LOOP.lines)], cwd=tmp_path, capture_output=True, check=False
    )

    taken = (tmp_path / "rounds").read_text(encoding="utf-8").split()
    assert (len(taken), ended.returncode) == (rounds, code)
