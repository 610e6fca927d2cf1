"""Compare the counts that Inspect reports of its own log with those of our import and of our export.

`--python` names an interpreter that has inspect_ai (`uv venv v && uv pip install --python v/bin/python
inspect_ai`); without it, one is made in a temporary folder, from whichever index the machine is set up for.
Inspect runs its mock model on six tiny tasks with three epochs; every fifth call fails. Prints how long each
step took; the exit code is 1 if any count differs. Not part of CI: installing takes most of the time.

Run: python -m benchmarks.neighbour_logs [--python v/bin/python]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from steelyard import export_log, import_files, report_run
from steelyard.model.options import ReportOptions

TASK = """
import json, sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate
calls = 0
def answer(messages, tools, tool_choice, config):
    global calls
    calls += 1
    if calls % 5 == 0:
        raise RuntimeError("503")
    return ModelOutput.from_content("mockllm/model", "4" if calls % 3 else "5")
task = Task([Sample(id=f"a/{n}", input=f"{n} + {4 - n} = ?", target="4") for n in range(6)],
            solver=generate(), scorer=match(), epochs=3, name="sums")
eval(task, model=get_model("mockllm/model", custom_outputs=answer), log_dir=sys.argv[1], display="none",
     fail_on_error=False, max_samples=1)
"""
READ = """
import json, sys
from inspect_ai.log import read_eval_log
log = read_eval_log(sys.argv[1])
values = [next(iter(s.scores.values())).value if s.scores else None for s in log.samples]
print(json.dumps({"total": log.results.total_samples, "completed": log.results.completed_samples,
                  "accuracy": log.results.scores[0].metrics["accuracy"].value, "values": values}))
"""


def main() -> int:
    """Compare the counts of Inspect, of the import and of the export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = parser.parse_args().python or _environment(folder)
        _timed("Inspect runs", [python, "-c", TASK, folder / "logs"])
        (log,) = (folder / "logs").glob("*.eval")
        theirs = json.loads(_timed("Inspect reads its log", [python, "-c", READ, log]))
        found = import_files(log, folder / "run")
        (subject,) = report_run(folder / "run", options=ReportOptions()).subjects
        (back,) = export_log(folder / "run", folder / "out", to="inspect").files
        again = json.loads(_timed("Inspect reads our log", [python, "-c", READ, back]))
    values = Counter(map(str, theirs.pop("values")))
    assert values == Counter(map(str, again.pop("values"))), "the scores differ"
    assert (found.outcomes, subject.samples) == (theirs["total"], theirs["completed"])
    assert round(subject.pass_at_k[0].estimate.value or 0, 9) == round(theirs["accuracy"], 9)
    assert theirs == again
    print(f"{found.tool}: the same in all three: {theirs}, {dict(values)}")
    return 0


def _environment(folder: Path) -> Path:
    _timed("venv", [sys.executable, "-m", "venv", folder / "v"])
    _timed("install", [folder / "v/bin/python", "-m", "pip", "install", "-q", "inspect_ai"])
    return folder / "v/bin/python"


def _timed(what: str, words: list[str | Path]) -> str:
    start = time.monotonic()
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    print(f"{what}: {time.monotonic() - start:.1f} s", flush=True)
    return done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""


if __name__ == "__main__":
    sys.exit(main())
