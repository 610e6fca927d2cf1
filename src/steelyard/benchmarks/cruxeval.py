"""CRUXEval: predict the output of a short function, or an input for a given output."""

import ast
from collections.abc import Iterable, Iterator

from steelyard.benchmarks.answers import PYTHON_EXTRACTION, fenced
from steelyard.benchmarks.plain_data import to_plain_data
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import Compare, FunctionCall

TIMEOUT_S = 10.0
OTHER_FUNCTION = r"^[ \t]*(?:async )?def (?!answer\b)\w"  # an answer could define f and call it
NOT_PLAIN_DATA = "its arguments include a function or a range, which plain data cannot express"
# Calls f with the answer's arguments, in a sandbox separate from the answer's.
COMPARATOR = "def is_right(given, wanted, result):\n    return f(*result[0], **result[1]) == wanted[0]\n"


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert each record to two cases, identical in both protocols."""
    del protocol
    for record in records:
        yield _make_output_case(record)
        yield _make_input_case(record)


def _make_output_case(record: Record) -> Case:
    expected = ast.literal_eval(record["output"])
    return Case(
        id=f"{record['id']}/output",
        suite="output",
        prompt=(
            f"{fenced(record['code'])}\nWhat does `f({record['input']})` return? Answer with one Python "
            f"code block that holds a function `answer()`, which returns that value as a literal. Do not "
            f"define or call f."
        ),
        language="python",
        timeout_s=TIMEOUT_S,
        expectations=Expectations(
            function="answer",
            calls=(FunctionCall(returns=to_plain_data(expected)),),
            settings={"policy_forbidden": OTHER_FUNCTION},
        ),
        reference=fenced(f"def answer():\n    return {record['output']}"),
    )


def _make_input_case(record: Record) -> Case:
    call = ast.parse(f"f({record['input']})", mode="eval").body
    assert isinstance(call, ast.Call)  # noqa: S101  # the text is a call
    positional = "".join(f"{ast.unparse(argument)}, " for argument in call.args)
    named = ", ".join(f"{keyword.arg!r}: {ast.unparse(keyword.value)}" for keyword in call.keywords)
    return Case(
        id=f"{record['id']}/input",
        suite="input",
        prompt=(
            f"{fenced(record['code'])}\nFind arguments for which `f` returns `{record['output']}`. Answer "
            f"with one Python code block that holds a function `answer()`, which returns a pair: the tuple "
            f"of the positional arguments, and the dictionary of the others. Do not define or call f."
        ),
        language="python",
        timeout_s=TIMEOUT_S,
        expectations=Expectations(
            function="answer",
            calls=(FunctionCall(returns={"tuple": [to_plain_data(ast.literal_eval(record["output"]))]}),),
            compare=Compare.PROGRAM,
            comparator=f"{record['code']}\n\n{COMPARATOR}",
            settings={"policy_forbidden": OTHER_FUNCTION},
        ),
        reference=fenced(f"def answer():\n    return (({positional}), {{{named}}})"),
    )


BENCHMARK = Benchmark(
    name="cruxeval",
    version="2024-01",
    tasks=1600,
    languages=("python",),
    licence="MIT",
    address="https://raw.githubusercontent.com/facebookresearch/cruxeval/{revision}/data",
    revision="190faf16d175b5847b0af05d937872b1fb395942",
    files=(
        BenchmarkFile(
            path="cruxeval.jsonl",
            sha256="8368b81047dc5014e4caf5a2f97604eff7644e0ecd7415e3ceeb184bbc2e0c96",
        ),
    ),
    protocol=Protocol(
        name="CRUXEval",
        prompt="the function, and a question of ours for a function `answer()` in place of a bare literal",
        extraction=PYTHON_EXTRACTION,
        tests="800 functions, for each an output and an input: 1,600 cases in two suites",
        limits="10 s (upstream 3 s)",
        comparison="Python's ==",
        passes="the output is right, or the function returns the output for the arguments that were found",
    ),
    cases=cases,
    failing_references={
        "sample_258/input": "its arguments are variables of the program, which an answer does not have",
        "sample_344/input": NOT_PLAIN_DATA,
        "sample_364/input": NOT_PLAIN_DATA,
        "sample_522/input": NOT_PLAIN_DATA,
    },
)
