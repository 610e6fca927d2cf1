"""EvalPlus grading, shared by HumanEval+ and MBPP+: compare each result with the reference's.

Each input is one call; results are compared outside the sandbox.
"""

from collections.abc import Mapping
from typing import Any

from steelyard.benchmarks.answers import PYTHON_EXTRACTION, fenced
from steelyard.benchmarks.plain_data import example_arguments, restore_types, to_plain_data
from steelyard.model.benchmark import Protocol, Record
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import Compare, FunctionCall

TIMEOUT_S, TOLERANCE, MEMORY_MB = 60.0, 1e-6, 4096
# EvalPlus accepts results of UNORDERED in any order, and any result of PRESENT except None.
UNORDERED = frozenset(
    {
        *("similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly"),
        *("larg_nnum", "intersection_array", "find_dissimilar", "Diff"),
    }
)
PRESENT = frozenset({"check_str", "text_match_three", "text_starta_endb"})
# EvalPlus accepts more results than the reference's for these functions.
COMPARATORS = {
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
# Excluded: the result has 128 million strings, 1 GB of JSON.
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
    """Make a record's case without expected results; running the reference adds them."""
    entry = record["entry_point"]
    names_by_compare = {Compare.SET: UNORDERED, Compare.EXISTS: PRESENT, Compare.PROGRAM: COMPARATORS}
    return Case(
        id=record["task_id"],
        prompt=prompt,
        language="python",
        timeout_s=TIMEOUT_S,
        memory_mb=MEMORY_MB,
        expectations=Expectations(
            function=entry,
            calls=tuple(FunctionCall(args=tuple(to_plain_data(args))) for args in _read_inputs(record)),
            compare=next(
                (comparison for comparison, names in names_by_compare.items() if entry in names), None
            ),
            comparator=COMPARATORS.get(entry, ""),
            tolerance=record["atol"] or TOLERANCE,
            settings=settings,
        ),
        reference=fenced(record["prompt"] + record["canonical_solution"]),
    )


def _read_inputs(record: Record) -> list[Any]:
    examples = example_arguments(record.get("assertion", ""), record["entry_point"])
    if any(isinstance(value, complex) for example in examples for value in example):
        examples = [[complex(value) for value in example] for example in examples]
    inputs = [*record["base_input"], *(record["plus_input"] or [])]
    return [
        restore_types(arguments, examples)
        for index, arguments in enumerate(inputs)
        if (record["task_id"], index) not in TOO_LARGE
    ]
