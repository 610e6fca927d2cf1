"""Logs that the tools write here and now are read with the counts that the tools themselves report.

STEELYARD_LOG_TOOLS names a Python that has inspect-ai and lm-eval; CI installs them or says that it cannot.
"""

import json
import os
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from steelyard.app.log_files import found_logs, read_logs
from steelyard.logs.writers.inspect import InspectWriter
from steelyard.model.log import ExportedRun, Log, LogOptions, LogRow

PYTHON = os.environ.get("STEELYARD_LOG_TOOLS", "")
needs_tools = pytest.mark.skipif(
    not PYTHON, reason="STEELYARD_LOG_TOOLS names no Python with inspect-ai and lm-eval"
)
pytestmark = [needs_tools, pytest.mark.timeout(900)]

INSPECT = """
import json, sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate
said = ["yes", "no", "yes", "yes", "no", "no", "yes", "yes"]
outputs = [ModelOutput.from_content("mockllm/model", text) for text in said]
for output in outputs:  # or it would count the tokens, by a table that it fetches
    output.usage = ModelUsage(input_tokens=3, output_tokens=1, total_tokens=4)
(log,) = eval(
    Task(
        dataset=[Sample(id=f"case/{n}", input=f"Is {n} even?", target="yes") for n in range(4)],
        solver=generate(),
        scorer=match(),
        name="even",
    ),
    model=get_model("mockllm/model", custom_outputs=outputs),
    epochs=2, max_samples=1, log_dir=sys.argv[1], log_format=sys.argv[2], display="none",
)
scores = [score.value for sample in log.samples for score in sample.scores.values()]
(score,) = log.results.scores
print(json.dumps({
    "passed": scores.count("C"), "failed": scores.count("I"), "accuracy": score.metrics["accuracy"].value
}))
"""
OPENED = """
import json, sys
from inspect_ai.log import list_eval_logs, read_eval_log
logs = [read_eval_log(info) for info in list_eval_logs(sys.argv[1])]
samples = [sample for log in logs for sample in log.samples]
print(json.dumps({
    "status": sorted(log.status for log in logs),
    "tiers": sorted(log.eval.metadata["tier"] for log in logs),
    "values": sorted(score.value for sample in samples for score in (sample.scores or {}).values()),
    "answers": sorted(sample.output.completion for sample in samples),
    "cost": sum(usage.total_cost or 0 for one in samples for usage in one.model_usage.values()),
    "noted": sum(one.metadata.get("cost_usd", 0) for one in samples),
}))
"""
LM_EVAL_TASK = """
task: own
dataset_path: json
dataset_kwargs:
  data_files:
    test: {data}
output_type: generate_until
test_split: test
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs:
  until: []
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
"""


def read(*paths: Path) -> Log:
    (log,) = read_logs(found_logs(paths), LogOptions())
    return log


def by_tool(*words: str, where: Path) -> str:
    env = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(where / "hub")}
    ran = subprocess.run([PYTHON, *words], cwd=where, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("form", ["eval", "json"])
def test_inspect_with_its_mock_model(form: str, tmp_path: Path) -> None:
    (tmp_path / "made.py").write_text(INSPECT, encoding="utf-8")
    told = json.loads(by_tool("made.py", "logs", form, where=tmp_path).splitlines()[-1])
    (path,) = (tmp_path / "logs").glob(f"*.{form}")

    rows = read(path).rows

    found = Counter(row.passed for row in rows)
    assert (found[True], found[False]) == (told["passed"], told["failed"]) == (5, 3)
    assert found[True] / len(rows) == pytest.approx(told["accuracy"])
    assert {row.case for row in rows} == {f"case/{number}" for number in range(4)}


def test_inspect_opens_what_is_exported_for_it(tmp_path: Path) -> None:
    row = LogRow(model="m", case="a", attempt=0, passed=True, score=0.75, answer="x", finish_reason="length")
    rows = (
        row,
        replace(row, case="b", passed=False, answer=None, cost_usd=0.5),
        replace(row, case="c", passed=None, score=None, error="503", answer=None),
        replace(row, tier="T1", tokens_in=9, tokens_out=5, tokens_cached=4, cost_usd=0.25),
    )
    planned = {("m", "T0"): 1, ("m", "T1"): 1}
    cases = tuple(("default", case) for case in "abc")
    run = ExportedRun(
        id="r", created_at="2026-11-15T09:30:00Z", generator="g", rows=rows, cases=cases, planned=planned
    )
    InspectWriter().write(run, tmp_path / "logs")
    (tmp_path / "opened.py").write_text(OPENED, encoding="utf-8")

    seen = json.loads(by_tool("opened.py", "logs", where=tmp_path).splitlines()[-1])

    assert seen == {
        "status": ["cancelled", "success"],
        "tiers": ["T0", "T1"],
        "values": ["C", "C", "I"],
        "answers": ["", "", "x", "x"],
        "cost": 0.25,
        "noted": 0.5,
    }


def test_lm_eval_with_its_dummy_model(tmp_path: Path) -> None:
    # The dummy model says the same to everything.
    rows = [{"question": f"What is {n}?", "answer": "lol" if n % 3 else str(n)} for n in range(9)]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    (tmp_path / "own.yaml").write_text(LM_EVAL_TASK.format(data=data), encoding="utf-8")
    words = ["--model", "dummy", "--tasks", "own", "--include_path", str(tmp_path), "--output_path", "out"]
    by_tool("-m", "lm_eval", *words, "--log_samples", where=tmp_path)
    (path,) = (tmp_path / "out").rglob("results_*.json")
    told: Any = json.loads(path.read_text(encoding="utf-8"))

    found = Counter(row.passed for row in read(path).rows)

    assert (found[True], found[False]) == (6, 3)
    assert found[True] / 9 == pytest.approx(told["results"]["own"]["exact_match,none"])
