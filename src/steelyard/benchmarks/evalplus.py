"""The rule of EvalPlus: an answer returns for every input what the reference returns.

HumanEval+ and MBPP+ share it; each input is a call, compared outside the sandbox.
"""

from collections.abc import Mapping
from typing import Any

from steelyard.benchmarks.answers import PYTHON_EXTRACTION, fenced
from steelyard.benchmarks.plain_data import example_arguments, shaped, tagged
from steelyard.model.benchmark import Protocol, Record
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import Compare, FunctionCall

TIMEOUT_S, TOLERANCE, MEMORY_MB = 60.0, 1e-6, 4096
# Answers may return these in another order, or any value that is not None, as EvalPlus has it.
UNORDERED = frozenset(
    {
        *("similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly"),
        *("larg_nnum", "intersection_array", "find_dissimilar", "Diff"),
    }
)
PRESENT = frozenset({"check_str", "text_match_three", "text_starta_endb"})
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
# Not even asked for: its result holds 128 million texts, 1 GB of JSON.
TOO_LARGE = {("Mbpp/255", 88)}
PROTOCOL = Protocol(
    name="EvalPlus",
    prompt="one sentence of ours, then the prompt of the record",
    extraction=PYTHON_EXTRACTION,
    tests=(
        "the inputs of `base_input` and `plus_input`, but for those whose result is longer than 256 KiB; "
        "what is expected is what the reference returns here"
    ),
    limits="60 s for all inputs of a task or 4 times what the reference takes, whichever is more; 4 GiB",
    comparison="Python's ==, floats within 1e-6 or the record's `atol`, and EvalPlus' rules for 16 functions",
    passes="the results of all inputs, base and plus, are right",
)


def plus_case(record: Record, *, prompt: str, settings: Mapping[str, str]) -> Case:
    """Return the case of a record, whose calls lack what is expected: the reference says that."""
    entry = record["entry_point"]
    kinds = {Compare.SET: UNORDERED, Compare.EXISTS: PRESENT, Compare.PROGRAM: ALSO_RIGHT}
    return Case(
        id=record["task_id"],
        prompt=prompt,
        language="python",
        timeout_s=TIMEOUT_S,
        memory_mb=MEMORY_MB,
        expectations=Expectations(
            function=entry,
            calls=tuple(FunctionCall(args=tuple(tagged(args))) for args in _inputs(record)),
            compare=next((kind for kind, names in kinds.items() if entry in names), None),
            comparator=ALSO_RIGHT.get(entry, ""),
            tolerance=record["atol"] or TOLERANCE,
            settings=settings,
        ),
        reference=fenced(record["prompt"] + record["canonical_solution"]),
    )


def _inputs(record: Record) -> list[Any]:
    examples = example_arguments(record.get("assertion", ""), record["entry_point"])
    if any(isinstance(one, complex) for example in examples for one in example):
        examples = [[complex(one) for one in example] for example in examples]
    inputs = [*record["base_input"], *(record["plus_input"] or [])]
    return [
        shaped(one, examples)
        for place, one in enumerate(inputs)
        if (record["task_id"], place) not in TOO_LARGE
    ]
