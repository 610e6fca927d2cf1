"""Outcome files in the shapes that people and tools write, each as a few records of our own.

A shape is read as it is, or with options; for the latter the message gives exactly these options.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A file, the options that it needs (none: it is read as it is), and how many samples it holds."""

    file: str
    text: str
    options: str = ""
    samples: int = 3
    passed: int = 2

    def write(self, folder: Path) -> Path:
        """Write the file; a Parquet file from rows of JSON."""
        path = folder / self.file
        if path.suffix != ".parquet":
            path.write_text(self.text, encoding="utf-8")
            return path
        rows = folder / "rows.jsonl"
        rows.write_text(self.text, encoding="utf-8")
        duckdb.read_json(str(rows)).write_parquet(str(path))
        return path


def lines(*rows: Mapping[str, object]) -> str:
    """Return rows as JSON, one on each line."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def verdicts(**keys: str) -> str:
    """Return three rows of two cases, with the names of the keys that hold case and verdict."""
    values = (("a", True), ("a", False), ("b", True))
    return lines(*({keys["case"]: case, keys["verdict"]: verdict} for case, verdict in values))


def table(header: str, *rows: str) -> str:
    """Return the text of a table."""
    return "\n".join((header, *rows)) + "\n"


SHAPES: Mapping[str, Shape] = {
    # --- Text tables
    "our own names": Shape(file="o.csv", text=table("case,passed", "a,true", "a,false", "b,true")),
    "PASS and FAIL": Shape(file="o.csv", text=table("task,passed", "a,PASS", "a,FAIL", "b,PASS")),
    "C and I": Shape(file="o.csv", text=table("id,correct", "a,C", "a,I", "b,C")),
    "yes and no": Shape(file="o.csv", text=table("id,ok", "a,yes", "a,no", "b,yes")),
    "ones and zeros as floats": Shape(file="o.csv", text=table("id,ok", "a,1.0", "a,0.0", "b,1.0")),
    "semicolons": Shape(file="o.csv", text=table("task;sample;ok", "a;0;1", "a;1;0", "b;0;1")),
    "tabs in a .csv": Shape(file="o.csv", text=table("task\tok", "a\t1", "a\t0", "b\t1")),
    "bars": Shape(file="o.csv", text=table("task|ok", "a|1", "a|0", "b|1")),
    "a .tsv": Shape(file="o.tsv", text=table("task_id\tis_correct", "a\t1", "a\t0", "b\t1")),
    "an index column without a name": Shape(
        file="o.csv", text=table(",task_id,resolved", "0,a,True", "1,a,False", "2,b,True")
    ),
    "repairs": Shape(
        file="gemini_fixes.csv",
        text=table("oid,iteration_id,plausible_fix", "a,1,True", "a,2,False", "b,1,True"),
    ),
    "runs of tiers": Shape(
        file="runs.csv",
        text=table(
            "agent_model,tier,subtest,run_number,passed,cost_usd,duration",
            "m,T0,a,1,True,0.1,3",
            "m,T0,a,2,False,0.1,3",
            "m,T0,b,1,True,0.1,3",
        ),
        options="--map case=subtest",
    ),
    "dollars with a sign": Shape(
        file="o.csv", text=table("task,ok,cost", "a,1,$0.0094", "a,0,$0.01", "b,1,$0.0001")
    ),
    "names of tests": Shape(
        file="o.csv", text=table("test_name,solved", "adds,true", "adds,false", "sorts,true")
    ),
    "words of a status": Shape(
        file="o.csv",
        text=table("task,status", "a,passed", "a,failed", "b,passed"),
        options="--map passed=status",
    ),
    "kinds of ending in a status": Shape(
        file="o.csv",
        text=table("task,status", "a,pass", "a,timeout", "b,pass"),
        options="--map classification=status",
    ),
    "a verdict of other names": Shape(
        file="o.csv",
        text=table("exercise,who,fine", "a,m,yes", "a,m,no", "b,m,yes"),
        options="--map case=exercise --map passed=fine",
    ),
    "column names with spaces": Shape(
        file="o.csv",
        text=table("task name,is it correct?", "a,1", "a,0", "b,1"),
        options="--map 'case=task name' --map 'passed=is it correct?'",
    ),
    "a score only": Shape(
        file="o.csv",
        text=table("task,reward", "a,1", "a,0.25", "b,1"),
        options="--map score=reward --pass-score 1",
    ),
    "builds and tests": Shape(
        file="o.csv",
        text=table("case,compiled,tests_passed,tests_failed", "a,true,3,0", "a,true,2,1", "b,true,4,0"),
    ),
    # --- Counts
    "n and c": Shape(file="o.csv", text=table("task,n,c", "a,2,1", "b,1,1")),
    "num_samples and num_correct": Shape(
        file="o.jsonl",
        text=lines(
            {"task_id": "a", "num_samples": 2, "num_correct": 1},
            {"task_id": "b", "num_samples": 1, "num_correct": 1},
        ),
    ),
    "counts beside a model": Shape(
        file="o.csv", text=table("model,problem_id,attempts,successes", "m,a,2,1", "m,b,1,1")
    ),
    "correct as a count": Shape(
        file="o.csv",
        text=table("example_id,model,correct,count", "a,m,2,4"),
        options="--map n=count --map c=correct",
        samples=4,
    ),
    "several counts of one case": Shape(file="o.csv", text=table("task,n,c", "a,1,1", "a,1,0", "b,1,1")),
    # --- One column for each model
    "a column for each model": Shape(
        file="o.csv",
        text=table("task_id,gpt-4,claude-3", "a,1,0", "b,1,"),
        options="--wide gpt-4,claude-3",
    ),
    "a column for each model, in words": Shape(
        file="o.csv", text=table("task;m1;m2", "a;pass;fail", "b;pass;"), options="--wide m1,m2"
    ),
    "a column for each model, in JSON": Shape(
        file="o.json",
        text=json.dumps([{"id": "a", "m1": True, "m2": False}, {"id": "b", "m1": True}]),
        options="--wide m1,m2",
    ),
    # --- JSON
    "one object a line": Shape(file="o.jsonl", text=verdicts(case="task_id", verdict="passed")),
    "a .ndjson": Shape(file="o.ndjson", text=verdicts(case="instance_id", verdict="resolved")),
    "numbers as cases": Shape(
        file="o.jsonl",
        text=lines({"doc_id": 0, "correct": 1}, {"doc_id": 0, "correct": 0}, {"doc_id": 1, "correct": 1}),
    ),
    "a list": Shape(
        file="o.json",
        text=json.dumps([{"id": "a", "ok": True}, {"id": "a", "ok": False}, {"id": "b", "ok": True}]),
    ),
    "graded completions": Shape(
        file="samples_results.jsonl",
        text=lines(
            {"task_id": "T/0", "completion": "x", "result": "passed", "passed": True},
            {"task_id": "T/0", "completion": "y", "result": "failed: no", "passed": False},
            {"task_id": "T/1", "completion": "z", "result": "passed", "passed": True},
        ),
    ),
    "an arena of examples": Shape(
        file="o.jsonl",
        text=lines(
            {"benchmark_id": "b", "model": "m", "example_id": "1", "correct": 1},
            {"benchmark_id": "b", "model": "m", "example_id": "1", "correct": 0},
            {"benchmark_id": "b", "model": "m", "example_id": "2", "correct": 1},
        ),
    ),
    "a classification in an object": Shape(
        file="o.jsonl",
        text=lines(
            {"case_id": "a", "model_id": "m", "classification": {"primary": "pass", "details": {}}},
            {"case_id": "a", "model_id": "m", "classification": {"primary": "refusal", "details": {}}},
            {"case_id": "b", "model_id": "m", "classification": {"primary": "pass", "details": {}}},
        ),
    ),
    "a score inside objects": Shape(
        file="o.jsonl",
        text=lines(
            {"id": "a", "epoch": 1, "scores": {"verify": {"value": "C"}}},
            {"id": "a", "epoch": 2, "scores": {"verify": {"value": "I"}}},
            {"id": "b", "epoch": 1, "scores": {"verify": {"value": "C"}}},
        ),
        options="--map passed=scores.verify.value",
    ),
    "a judgement inside an object": Shape(
        file="o.jsonl",
        text=lines(
            {"test_id": "a", "judgment": {"passed": True, "grade": "A"}},
            {"test_id": "a", "judgment": {"passed": False, "grade": "F"}},
            {"test_id": "b", "judgment": {"passed": True, "grade": "B"}},
        ),
        options="--map passed=judgment.passed",
    ),
    "a case inside an object": Shape(
        file="o.jsonl",
        text=lines(
            {"meta": {"task": "a"}, "passed": True},
            {"meta": {"task": "a"}, "passed": False},
            {"meta": {"task": "b"}, "passed": True},
        ),
        options="--map case=meta.task",
    ),
    "a metric with a comma in its name": Shape(
        file="o.jsonl",
        text=lines(
            {"task_id": "a", "metrics": {"acc,none": 1.0}},
            {"task_id": "a", "metrics": {"acc,none": 0.0}},
            {"task_id": "b", "metrics": {"acc,none": 1.0}},
        ),
        options="--map passed=metrics.acc,none",
    ),
    "an exact match": Shape(
        file="o.jsonl",
        text=verdicts(case="question_id", verdict="exact_match"),
        options="--map passed=exact_match",
    ),
    "a judge's verdict": Shape(
        file="o.jsonl",
        text=lines(
            {"prompt_id": 1, "verdict": "correct"},
            {"prompt_id": 1, "verdict": "incorrect"},
            {"prompt_id": 2, "verdict": "correct"},
        ),
        options="--map passed=verdict",
    ),
    "a pass@1 for each document": Shape(
        file="o.jsonl",
        text=lines({"doc_id": 0, "pass@1": 1.0}, {"doc_id": 1, "pass@1": 0.5}, {"doc_id": 2, "pass@1": 1.0}),
        options="--map score=pass@1 --pass-score 1",
    ),
    # --- Parquet
    "Parquet": Shape(file="o.parquet", text=verdicts(case="task_id", verdict="passed")),
    "Parquet with a struct": Shape(
        file="o.parquet",
        text=lines(
            {"task_id": "a", "result": {"ok": True, "note": "x"}},
            {"task_id": "a", "result": {"ok": False, "note": "y"}},
            {"task_id": "b", "result": {"ok": True, "note": "z"}},
        ),
        options="--map passed=result.ok",
    ),
    "Parquet with counts": Shape(
        file="o.parquet",
        text=lines(
            {"task": "a", "n_samples": 2, "n_correct": 1}, {"task": "b", "n_samples": 1, "n_correct": 1}
        ),
    ),
}

# Files that are no table: the document, and what the message says is to be typed.
OBJECTS: Mapping[str, tuple[object, str]] = {
    "verdicts by case": ({"a": "pass", "b": "fail"}, ". | to_entries[] | {case: .key, passed: .value}"),
    "lists of verdicts by case": (
        {"seen": {"a": [True, False], "b": [True]}},
        ".seen | to_entries[] | .key as $case | .value[] | {case: $case, passed: .}",
    ),
    "rows under a key": ({"version": 1, "rows": [{"id": "a", "ok": True}]}, ".rows[]"),
    "objects by case": (
        {"a": {"passed": True, "s": 1}, "b": {"passed": False, "s": 2}},
        ". | to_entries[] | {case: .key} + .value",
    ),
    "lists of objects by case": (
        {"my cases": {"a": [{"ok": True}], "b": [{"ok": False}]}},
        '.["my cases"] | to_entries[] | .key as $case | .value[] | {case: $case} + .',
    ),
}
