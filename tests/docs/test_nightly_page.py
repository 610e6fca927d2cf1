"""The loop of the page on nightly jobs goes on while a subject is open that more samples may decide."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.analysis.staged_gate import look_at_reports
from steelyard.app.gate import gate_exit_code
from steelyard.render.json import JsonRenderer
from tests.analysis.runs import Counts, report_of
from tests.docs.pages import DOCS, Page

[_, LOOP] = [block for block in Page(DOCS / "how-to" / "gate-a-change.md").blocks if block.language == "sh"]
LOOKS = 5
# Drawing does nothing here, and a gate gives what was judged beforehand.
COMMANDS = """
steelyard() {
  test $1 = gate || return 0
  echo $look >> looks
  cp look-$look.json gate.json
  return $(cat look-$look.code)
}
"""
Pair = tuple[Counts, Counts]  # a baseline, and what is judged


def quiet(look: int) -> Pair:
    counts: Counts = [(1, 1)] * 10 + [(1, 0)] * 10 if look == 1 else [(look, look // 2)] * 20
    return counts, counts


def worse(look: int) -> Pair:
    return [(look, look)] * 20, [(look, look)] * 12 + [(look, look - 1)] * 8


def one_broken(look: int) -> Pair:
    steady: list[tuple[int, int]] = [(5 * look, 5 * look)] * 60 + [(5 * look, 0)] * 10
    return steady, [(5 * look, 0), *steady[1:]]


@pytest.mark.parametrize(
    ("subjects", "looks", "code"),
    [
        ({"quiet": quiet}, 3, 4),
        ({"quiet": quiet, "worse": worse}, 3, 1),  # at look 2 the ground of the quiet one is not_ruled_out
        ({"broken": one_broken}, 5, 4),  # its broken case stands out, and its whole drop is below the margin
    ],
    ids=lambda value: "-and-".join(value) if isinstance(value, dict) else str(value),
)
def test_the_loop_ends_when_no_subject_is_open_that_samples_may_decide(
    subjects: dict[str, Callable[[int], Pair]], looks: int, code: int, tmp_path: Path
) -> None:
    for look in range(1, LOOKS + 1):
        before, now = (
            report_of({(name, "T0"): drawn(look)[side] for name, drawn in subjects.items()})
            for side in (0, 1)
        )
        found = look_at_reports(before, now, number=look, looks=LOOKS)
        (tmp_path / f"look-{look}.json").write_text(JsonRenderer().render(found), encoding="utf-8")
        (tmp_path / f"look-{look}.code").write_text(str(gate_exit_code(found)), encoding="utf-8")

    ended = subprocess.run(
        ["bash", "-c", COMMANDS + "\n".join(LOOP.lines)], cwd=tmp_path, capture_output=True, check=False
    )

    taken = (tmp_path / "looks").read_text(encoding="utf-8").split()
    assert (len(taken), ended.returncode) == (looks, code)
