"""Check the references of HumanEval+ and MBPP+ as calls, beside EvalPlus' own checker.

Each input is a call; what is expected is what the reference returns in a sandbox. All references must pass,
and no empty body. With --peers, EvalPlus checks the same answers with the same inputs: answers per second,
goal 1.5. STEELYARD_BENCHMARKS names the folder of humanevalplus/HumanEvalPlus.jsonl.gz and
mbppplus/MbppPlus.jsonl.gz. The peers live in an environment of their own:
    python -m venv peers && peers/bin/pip install evalplus
Run: STEELYARD_BENCHMARKS=… python -m benchmarks.references_calls [--peers P] [--limit N] [--only IDS]
"""

import argparse
import ast
import gzip
import json
import pickle
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.references import benchmarks_folder
from steelyard.checks.calls.checker import CallsChecker, prepare_calls
from steelyard.checks.calls.driver import drivers, warm_options, with_tools
from steelyard.checks.calls.values import DictValue, SetValue, of_plain
from steelyard.model.case import Case, Expectations
from steelyard.model.execution import GIB, MIB, Command, Limits
from steelyard.model.graded import Compare, FunctionCall
from steelyard.model.outcome import Classification
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

GOAL = 1.5
TIMEOUT_S, TOLERANCE, MEMORY_MB = 1200.0, 1e-6, 4096
WORKERS = 2
# Answers may return these in another order, or a value that is no plain data, as EvalPlus has it.
UNORDERED = frozenset(
    {
        *("similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly"),
        *("larg_nnum", "intersection_array", "find_dissimilar", "Diff"),
    }
)
# What EvalPlus also takes for right, besides what the reference returns.
ALSO_RIGHT = {
    "find_zero": """
import math
def is_right(args, expected, result):
    return abs(sum(part * math.pow(result, power) for power, part in enumerate(args[0]))) <= 1e-4
""",
    "digit_distance_nums": """
def is_right(args, expected, result):
    texts = [str(number) for number in args]
    first, second = (text.zfill(max(map(len, texts))) for text in texts)
    return result == sum(abs(int(one) - int(other)) for one, other in zip(first, second))
""",
    "surface_Area": """
import math
def is_right(args, expected, result):
    base, height = args
    return result == round(base**2 + 2 * base * math.sqrt((base / 2) ** 2 + height**2))
""",
    "sum_div": "def is_right(args, expected, result): return result == 0",
    "are_equivalent": "def is_right(args, expected, result): return True",
}
PRESENT = frozenset({"check_str", "text_match_three", "text_starta_endb"})
TOO_LARGE = {("Mbpp/255", 88)}  # its result holds 128 million texts, 1 GB of JSON: left out on both sides
PEER = """
import pickle, sys, time
from concurrent.futures import ProcessPoolExecutor
from evalplus.eval import untrusted_check
def one(job): return untrusted_check(**job)[0]
if __name__ == "__main__":
    jobs = pickle.load(open(sys.argv[1], "rb"))
    began = time.perf_counter()
    with ProcessPoolExecutor(int(sys.argv[2])) as pool:
        found = list(pool.map(one, jobs))
    print(len(jobs) / (time.perf_counter() - began), found.count("pass"))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A record of one of the files: a case without expected values, its reference, and an empty answer."""

    case: Case
    reference: str
    empty: str
    dataset: str
    atol: float


def tasks(folder: Path, limit: int, only: str) -> Iterator[Task]:
    """Yield the tasks of both files, the first ones of each, or those with certain names."""
    wanted = set(filter(None, only.split(",")))
    for dataset, name in (
        ("humaneval", "humanevalplus/HumanEvalPlus.jsonl.gz"),
        ("mbpp", "mbppplus/MbppPlus.jsonl.gz"),
    ):
        with gzip.open(folder / name, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file):
                if limit and number >= limit:
                    break
                record = json.loads(line)
                if not wanted or record["task_id"] in wanted:
                    yield _task(record, dataset)


def _task(record: dict[str, Any], dataset: str) -> Task:
    entry = record["entry_point"]
    examples = _examples(record.get("assertion", ""), entry)
    if any(isinstance(one, complex) for example in examples for one in example):
        examples = [[complex(one) for one in example] for example in examples]
    inputs = [*record["base_input"], *(record["plus_input"] or [])]
    inputs = [one for place, one in enumerate(inputs) if (record["task_id"], place) not in TOO_LARGE]
    calls = tuple(FunctionCall(args=tuple(_tagged(_shaped(args, examples)))) for args in inputs)
    kinds = {Compare.SET: UNORDERED, Compare.EXISTS: PRESENT, Compare.PROGRAM: ALSO_RIGHT}
    compare = next((kind for kind, names in kinds.items() if entry in names), None)
    case = Case(
        id=record["task_id"],
        language="python",
        timeout_s=TIMEOUT_S,
        expectations=Expectations(
            function=entry,
            calls=calls,
            compare=compare,
            comparator=ALSO_RIGHT.get(entry, ""),
            tolerance=record["atol"] or TOLERANCE,
            settings={"answer": "raw", "memory_mb": str(MEMORY_MB)},
        ),
    )
    is_stub = dataset == "humaneval"
    return Task(
        case=case,
        reference=record["prompt"] + record["canonical_solution"],
        empty=record["prompt"] + "    pass\n" if is_stub else f"def {entry}(*args):\n    pass\n",
        dataset=dataset,
        atol=record["atol"],
    )


def _examples(assertion: str, entry: str) -> list[list[Any]]:
    """Return arguments of calls in a task's assertion: JSON has lost which lists were tuples."""
    found = []
    for node in ast.walk(ast.parse(assertion)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == entry:
            try:
                found.append([ast.literal_eval(one) for one in node.args])
            except ValueError:
                continue
    return found


def _shaped(value: Any, examples: list[Any]) -> Any:  # noqa: ANN401  # any plain data
    """Return a value of JSON with the types that examples have at the same places."""
    kinds = {type(one) for one in examples}
    if isinstance(value, list):
        inner = [one for one in examples if isinstance(one, list | tuple)]
        by_place = {len(one) for one in inner} == {len(value)} and len({*map(_kinds, inner)}) == 1
        shaped = [
            _shaped(
                item,
                [one[place] for one in inner]
                if by_place
                else [x for one in inner for x in one if isinstance(x, list | tuple | dict | set)],
            )
            for place, item in enumerate(value)
        ]
        if set in kinds:
            return set(value) if value else {}
        return tuple(shaped) if tuple in kinds and list not in kinds else shaped
    if isinstance(value, dict):
        values = [item for one in examples if isinstance(one, dict) for item in one.values()]
        return {key: _shaped(item, values) for key, item in value.items()}
    if isinstance(value, str) and complex in kinds:  # JSON has no complex numbers
        return complex(value)
    return value


def _kinds(values: Sequence[Any]) -> tuple[type, ...]:
    return tuple(type(one) for one in values)


def _tagged(value: Any) -> Any:  # noqa: ANN401, PLR0911  # any plain data
    """Return a value as plain data."""
    if isinstance(value, list):
        return [_tagged(one) for one in value]
    if isinstance(value, tuple):
        return {"tuple": [_tagged(one) for one in value]}
    if isinstance(value, set):
        return {"set": [_tagged(one) for one in value]}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, dict):
        return {"dict": [[_tagged(key), _tagged(item)] for key, item in value.items()]}
    if isinstance(value, float) and (value != value or value in {float("inf"), float("-inf")}):  # noqa: PLR0124
        return {"float": str(value)}
    return value if not isinstance(value, int) or value.bit_length() < 10_000 else {"int": hex(value)}  # noqa: PLR2004


def with_expected(task: Task, sandbox: WarmPythonSandbox) -> Task | None:
    """Return a task with what its reference returns, or None if the reference does not do."""
    recipe = with_tools(drivers()["python"].recipe)
    ran = sandbox.run(
        Command(
            argv=recipe.run,
            files={"driver.py": recipe.files["driver.py"].encode(), "answer.py": task.reference.encode()},
            stdin=prepare_calls(task.case).message,
            channel=True,
            limits=Limits(
                wall_s=TIMEOUT_S,
                cpu_s=TIMEOUT_S,
                memory_bytes=4 * GIB,
                output_bytes=256 * MIB,
                output_total_bytes=512 * MIB,
            ),
        )
    )
    written = map(json.loads, ran.channel.text.splitlines())
    lines = [line for line in written if "call" in line]
    wanted = task.case.expectations
    if len(lines) != len(wanted.calls):
        sys.stdout.write(f"{task.case.id}: {ran.limit} {ran.exit_code} {len(lines)} of {len(wanted.calls)}\n")
        return None
    calls = tuple(
        _expecting(call, line, is_present=wanted.compare is Compare.EXISTS)
        for call, line in zip(wanted.calls, lines, strict=True)
    )
    return replace(task, case=replace(task.case, expectations=replace(wanted, calls=calls)))


def _expecting(call: FunctionCall, line: dict[str, Any], *, is_present: bool) -> FunctionCall:
    if is_present:
        value = line.get("returns", True)
        return replace(call, returns=value if isinstance(value, bool) else value is not None)
    if "raises" in line:
        return replace(call, raises=line["raises"][0])
    return replace(call, returns=line["returns"])


def checked(checker: CallsChecker, answers: Iterable[tuple[Case, str]]) -> tuple[float, Counter[str]]:
    """Check answers; return how many a second, and how they ended. Says which did not pass."""
    given = list(answers)
    began = time.perf_counter()
    with ThreadPoolExecutor(WORKERS) as pool:
        outcomes = list(pool.map(lambda one: checker.check(*one), given))
    speed = len(given) / (time.perf_counter() - began)
    for (case, text), outcome in zip(given, outcomes, strict=True):
        is_right = outcome.facts.classification is Classification.PASS
        if is_right is text.endswith("pass\n"):
            sys.stdout.write(f"{case.id}: {outcome.facts.classification} {outcome.detail[:300]}\n")
    return speed, Counter(str(outcome.facts.classification) for outcome in outcomes)


def peer(python: str, given: list[Task], place: Path) -> str:
    """Check the references with EvalPlus; return answers per second and passes."""
    jobs = [
        {
            "dataset": task.dataset,
            "code": task.reference,
            "entry_point": task.case.expectations.function,
            "inputs": [[native(one) for one in call.args] for call in task.case.expectations.calls],
            "expected": [native(call.returns) for call in task.case.expectations.calls],
            "atol": task.atol,
            "ref_time": [1.0] * len(task.case.expectations.calls),
        }
        for task in given
    ]
    (place / "jobs").write_bytes(pickle.dumps(jobs))
    (place / "peer.py").write_text(PEER, encoding="utf-8")
    argv = [python, str(place / "peer.py"), str(place / "jobs"), str(WORKERS)]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()


def native(value: Any) -> Any:  # noqa: ANN401  # any plain data
    """Return plain data as Python's own types."""
    return _untagged(of_plain(value))


def _untagged(value: Any) -> Any:  # noqa: ANN401  # any plain data
    match value:
        case SetValue():
            return {_untagged(one) for one in value.items}
        case DictValue():
            return {_untagged(key): _untagged(item) for key, item in value.pairs}
        case list():
            return [_untagged(one) for one in value]
        case tuple():
            return tuple(_untagged(one) for one in value)
        case dict():
            return {key: _untagged(item) for key, item in value.items()}
    return value


def main() -> None:
    """Check both files and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    folder = benchmarks_folder()
    sandbox = WarmPythonSandbox(**warm_options())
    with ThreadPoolExecutor(WORKERS) as pool:
        found = [
            task
            for task in pool.map(
                lambda one: with_expected(one, sandbox), tasks(folder, given.limit, given.only)
            )
            if task
        ]
    for dataset in ("humaneval", "mbpp"):
        mine = [task for task in found if task.dataset == dataset]
        if not mine:
            continue
        checker = CallsChecker(sandbox)
        speed, ended = checked(checker, ((task.case, task.reference) for task in mine))
        sys.stdout.write(f"{dataset}: references {dict(ended)} at {speed:.1f} answers/s\n")
        speed, ended = checked(checker, ((task.case, task.reference) for task in mine))
        sys.stdout.write(f"{dataset}: again {dict(ended)} at {speed:.1f} answers/s\n")
        _, ended = checked(checker, ((task.case, task.empty) for task in mine))
        sys.stdout.write(f"{dataset}: empty bodies {dict(ended)}\n")
        if given.peers:
            with tempfile.TemporaryDirectory() as place:
                said = peer(given.peers, mine, Path(place))
            sys.stdout.write(f"{dataset}: EvalPlus, answers/s and passes: {said}\n")


if __name__ == "__main__":
    main()
