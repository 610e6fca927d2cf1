"""Small logs of every tool that can be imported, in the form that the tool writes, and what they say.

Every log has one model, the cases `add` and `sub`, and two answers to each: three pass, one of `sub` fails.
"""

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

PASSES = {"add": (True, True), "sub": (True, False)}
ANSWERS = [(case, number, passed) for case, row in PASSES.items() for number, passed in enumerate(row)]


def write_json(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def write_lines(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def inspect_sample(case: str, number: int, passed: bool, **changes: object) -> dict[str, Any]:  # noqa: FBT001  # the verdict
    message = {"role": "assistant", "content": f"def {case}(): ..."}
    return {
        "id": case,
        "epoch": number + 1,
        "input": f"Write {case}.",
        "target": "ok",
        "output": {"choices": [{"message": message, "stop_reason": "stop"}]},
        "scores": {"verify": {"value": "C" if passed else "I", "explanation": "ran"}},
        "model_usage": {"m": {"input_tokens": 10, "output_tokens": 5, "total_cost": 0.25}},
        "working_time": 1.5,
        **changes,
    }


def inspect_header(**changes: object) -> dict[str, Any]:
    task = {
        "task": "sums",
        "model": "mock/model",
        "packages": {"inspect_ai": "0.3.285"},
        "dataset": {"sample_ids": ["add", "sub"]},
        "config": {"epochs": 2},
    }
    scores = [{"name": "verify", "metrics": {"accuracy": {"value": 0.75}}}]
    return {"version": 2, "status": "success", "eval": task, "results": {"scores": scores}, **changes}


def inspect_json(folder: Path) -> Path:
    samples = [inspect_sample(*answer) for answer in ANSWERS]
    return write_json(folder / "log.json", {**inspect_header(), "samples": samples})


def inspect_eval(folder: Path, members: dict[str, object] | None = None) -> Path:
    samples = {f"samples/{c}_epoch_{n + 1}.json": inspect_sample(c, n, p) for c, n, p in ANSWERS}
    summaries = [{key: one[key] for key in ("id", "epoch", "scores")} for one in samples.values()]
    whole = {"header.json": inspect_header(), "summaries.json": summaries, **samples, **(members or {})}
    path = folder / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in whole.items():
            if value is not None:
                archive.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return path


def promptfoo_row(case: str, number: int, passed: bool, **changes: object) -> dict[str, Any]:  # noqa: FBT001  # the verdict
    return {
        "testIdx": number * 2 + (case == "sub"),
        "promptIdx": 0,
        "promptId": "p",
        "provider": {"id": "mock", "label": "mock/model"},
        "prompt": {"raw": f"Write {case}.", "label": "Write {{fn}}."},
        "vars": {"fn": case},
        "testCase": {"vars": {"fn": case}, "assert": [{"type": "python"}]},
        "response": {"output": f"def {case}(): ..."},
        "success": passed,
        "score": float(passed),
        "cost": 0.25,
        "latencyMs": 1500,
        "error": None if passed else "AssertionError",
        "failureReason": 0 if passed else 1,
        "gradingResult": {"pass": passed, "reason": "ran"},
        **changes,
    }


def promptfoo_json(folder: Path) -> Path:
    rows = [promptfoo_row(*answer) for answer in ANSWERS]
    stats = {"successes": 3, "failures": 1, "errors": 0}
    whole = {"evalId": "eval-1", "results": {"version": 3, "results": rows, "stats": stats}, "config": {}}
    return write_json(folder / "output.json", whole)


def promptfoo_jsonl(folder: Path) -> Path:
    return write_lines(folder / "output.jsonl", [promptfoo_row(*answer) for answer in ANSWERS])


def promptfoo_csv(folder: Path) -> Path:
    lines = ["fn,[mock/model] Write {{fn}}.,Status,Score,Named Scores,Grader Reason,Comment"]
    lines += [f'{c},"def {c}(): ...",{"PASS" if p else "FAIL"},{p:.2f},{{}},ran,' for c, _, p in ANSWERS]
    path = folder / "output.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def promptfoo_old_csv(folder: Path) -> Path:
    lines = ["Write {{fn}},fn"]
    lines += [f'"[{"PASS" if p else "FAIL"}] ({p:.2f}) def {c}(): ...",{c}' for c, _, p in ANSWERS]
    path = folder / "old.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def lm_eval_document(number: int, case: str, **changes: object) -> dict[str, Any]:
    answers = [f"def {case}(): {attempt}" for attempt in range(2)]
    return {
        "doc_id": number,
        "doc": {"task_id": case},
        "target": "ok",
        "arguments": {"gen_args_0": {"arg_0": f"Write {case}.", "arg_1": {}}},
        "resps": [answers],
        "filtered_resps": [answers],
        "filter": "none",
        "metrics": ["pass@1"],
        "pass@1": sum(PASSES[case]) / 2,
        **changes,
    }


def lm_eval(folder: Path) -> Path:
    results = {"results": {"sums": {"pass@1,none": 0.75}}, "configs": {}, "versions": {}, "model_name": "m"}
    write_json(folder / "results_2026-11-15T13-48-58.2.json", results)
    rows = [lm_eval_document(number, case) for number, case in enumerate(PASSES)]
    return write_lines(folder / "samples_sums_2026-11-15T13-48-58.2.jsonl", rows)


def evalplus(folder: Path) -> Path:
    tasks = {
        case: [
            {
                "task_id": case,
                "solution": f"def {case}(): ...",
                "base_status": "pass",
                "plus_status": "pass" if one else "fail",
                "base_fail_tests": [],
                "plus_fail_tests": [] if one else [[1]],
            }
            for one in row
        ]
        for case, row in PASSES.items()
    }
    path = folder / "samples_eval_results.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"date": "2026", "hash": "x", "eval": tasks}).encode()))
    return path


def bigcodebench(folder: Path) -> Path:
    tasks = {
        case: [{"task_id": case, "solution": "x", "status": "pass" if one else "timeout"} for one in row]
        for case, row in PASSES.items()
    }
    return write_json(folder / "m_eval_results.json", {"date": "2026", "eval": tasks})


def harbor_trial(case: str, number: int, passed: bool, **changes: object) -> dict[str, Any]:  # noqa: FBT001  # the verdict
    return {
        "trial_name": f"{case}__{number}",
        "task_name": case,
        "source": "tasks",
        "agent_info": {"name": "agent", "model_info": {"name": "model", "provider": "mock"}},
        "agent_result": {"n_input_tokens": 10, "n_output_tokens": 5, "cost_usd": 0.25},
        "verifier_result": {"rewards": {"reward": float(passed)}},
        "exception_info": None,
        "started_at": f"2026-11-15T13:52:1{number}Z",
        "agent_execution": {
            "started_at": "2026-11-15T13:52:19.0Z",
            "finished_at": "2026-11-15T13:52:20.5Z",
        },
        **changes,
    }


def harbor(folder: Path) -> Path:
    job = folder / "job"
    write_json(job / "result.json", {"n_total_trials": 4, "stats": {"n_errored_trials": 0}})
    for case, number, passed in ANSWERS:
        write_json(job / f"{case}__{number}" / "result.json", harbor_trial(case, number, passed))
    return job


def nemo_row(case: str, number: int, passed: bool, **changes: object) -> dict[str, Any]:  # noqa: FBT001  # the verdict
    return {
        "problem_idx": list(PASSES).index(case),
        "repeat": number,
        "reward": float(passed),
        "prompt": f"Write {case}.",
        "model_response": f"def {case}(): ...",
        "metadata": {"task_id": case},
        "scoring_details": {},
        "latency_ms": 1500,
        **changes,
    }


def nemo(folder: Path) -> Path:
    bundle = {
        "run_id": "1",
        "sdk_version": "0.3.0",
        "config": {"model": "mock/model"},
        "benchmark": {"name": "sums"},
    }
    write_json(folder / "eval-1-sums.json", bundle)
    return write_lines(folder / "results.jsonl", [nemo_row(*answer) for answer in ANSWERS])


def deepeval_case(case: str, passed: bool, **changes: object) -> dict[str, Any]:  # noqa: FBT001  # the verdict
    metric = {"name": "Exact", "success": passed, "score": float(passed), "reason": "ran"}
    return {
        "name": case,
        "input": f"Write {case}.",
        "actualOutput": "x",
        "success": passed,
        "metricsData": [metric],
        **changes,
    }


def deepeval(folder: Path) -> Path:
    cases = [deepeval_case(case, passed) for case, _, passed in ANSWERS]
    return write_json(folder / "test_run_1.json", {"testCases": cases, "metricsScores": [], "testPassed": 3})


def livecodebench(folder: Path) -> Path:
    problems = [
        {
            "question_id": case,
            "question_content": f"Write {case}.",
            "code_list": [f"def {case}(): ..."] * 2,
            "graded_list": list(row),
            "metadata": [
                json.dumps({} if one else {"error_code": -3, "error_message": "slow"}) for one in row
            ],
        }
        for case, row in PASSES.items()
    ]
    return write_json(folder / "codegeneration_10_0.2_eval_all.json", problems)


def openai_evals(folder: Path) -> Path:
    lines: list[Any] = [{"spec": {"eval_name": "sums.dev.v0", "base_eval": "sums", "completion_fns": ["m"]}}]
    for case, _, passed in ANSWERS:
        data = {"prompt": f"Write {case}.", "sampled": ["def f(): ..."]}
        lines += [
            {"type": "sampling", "sample_id": case, "data": data},
            {
                "type": "match",
                "sample_id": case,
                "data": {"correct": passed, "expected": "ok", "picked": "ok"},
            },
        ]
    return write_lines(folder / "record.jsonl", [*lines, {"final_report": {"accuracy": 0.75}}])


def forgetest(folder: Path) -> Path:
    results = [
        {
            "case_id": case,
            "model": "model",
            "provider": "mock",
            "generated_code": "fn f() {}",
            "compilation": {"success": True, "errors": [], "warnings": []},
            "test_execution": {"passed": 2, "failed": 0 if passed else 1, "failures": []},
            "timing": {"llm_request_ms": 1500},
            "token_usage": {"prompt_tokens": 10, "completion_tokens": 5, "estimated_cost_usd": 0.25},
            "attempt": number + 1,
        }
        for case, number, passed in ANSWERS
    ]
    whole = {"id": "1", "eval_set": {"id": "sums"}, "models_evaluated": ["model"], "results": results}
    return write_json(folder / "report.json", whole)


def multipl_e(folder: Path) -> Path:
    for case, row in PASSES.items():
        results = [{"program": "x", "status": "OK" if one else "Exception", "stderr": "ran"} for one in row]
        problem = {"name": case, "language": "lua", "prompt": f"-- {case}", "results": results}
        write_json(folder / "model" / f"{case}.results.json", problem)
    return folder / "model"


def terminal_bench(folder: Path) -> Path:
    trials = [
        {
            "task_id": case,
            "is_resolved": passed,
            "failure_mode": "unset" if passed else "agent_timeout",
            "parser_results": {"test_a": "passed", "test_b": "passed" if passed else "failed"},
            "instruction": f"Write {case}.",
        }
        for case, _, passed in ANSWERS
    ]
    return write_json(folder / "results.json", {"results": trials, "n_resolved": 3, "n_unresolved": 1})


def cruxeval(folder: Path) -> Path:
    answers = {case: ["1", "2"] for case in PASSES}
    verdicts = {case: list(row) for case, row in PASSES.items()}
    whole = {"raw_generations": answers, "raw_scored_generations": verdicts, "pass_at_1": 75.0}
    return write_json(folder / "scored.json", whole)


def every_eval_ever(folder: Path) -> Path:
    lines = [
        {
            "schema_version": "0.3.0",
            "evaluation_id": "sums/m/1",
            "model_id": "m",
            "evaluation_name": "sums",
            "sample_id": case,
            "interaction_type": "single_turn",
            "input": {"raw": f"Write {case}.", "reference": []},
            "output": {"raw": [f"def {case}(): ..."]},
            "answer_attribution": [],
            "evaluation": {"score": float(passed), "is_correct": passed},
        }
        for case, _, passed in ANSWERS
    ]
    return write_lines(folder / "samples.jsonl", lines)


# The tool by the name of its reader, and how to write a log of it.
LOGS: list[tuple[str, Callable[[Path], Path]]] = [
    ("inspect", inspect_json),
    ("inspect", inspect_eval),
    ("promptfoo", promptfoo_json),
    ("promptfoo", promptfoo_jsonl),
    ("promptfoo", promptfoo_csv),
    ("promptfoo", promptfoo_old_csv),
    ("lm-eval", lm_eval),
    ("evalplus", evalplus),
    ("evalplus", bigcodebench),
    ("harbor", harbor),
    ("nemo", nemo),
    ("deepeval", deepeval),
    ("livecodebench", livecodebench),
    ("openai-evals", openai_evals),
    ("forgetest", forgetest),
    ("multipl-e", multipl_e),
    ("terminal-bench", terminal_bench),
    ("cruxeval", cruxeval),
    ("every-eval-ever", every_eval_ever),
]


def swe_bench(folder: Path, **changes: object) -> Path:
    """Write a report of SWE-bench, which has one answer to each instance: one of four was resolved."""
    report = {
        "schema_version": 2,
        "total_instances": 5,
        "resolved_ids": ["a"],
        "unresolved_ids": ["b"],
        "empty_patch_ids": ["c"],
        "infra_failure_ids": ["d"],
        "error_ids": [],
        "incomplete_ids": ["e"],
        "failure_reasons": {"d": "docker"},
        **changes,
    }
    return write_json(folder / "mock__model.run.json", report)
