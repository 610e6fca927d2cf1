"""Calls, and inputs and outputs, in an eval set: what they become, and what is refused."""

import json
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.case import Expectations
from steelyard.model.graded import Compare, FunctionCall, InputOutput
from steelyard.sources.evalset.read import read_eval_set
from steelyard.store.run.location import location_of
from steelyard.store.run.stored_set import read_stored_set, write_eval_set
from tests.commands import written

HEAD = '[[cases]]\nid = "a"\nprompt = "p"\nlanguage = "python"\n[cases.expectations]\n'
CALLS = "[[cases.expectations.calls]]\nargs = [1]\n"
IO = '[[cases.expectations.io]]\nstdin = "1"\n'


def expectations(folder: Path, text: str) -> Expectations:
    return read_eval_set(written(folder, HEAD + text, "set.toml")).cases[0].expectations


def test_calls_are_read_as_plain_data(tmp_path: Path) -> None:
    text = """
function = "add"
tolerance = 1e-6
compare = "set"
[[cases.expectations.calls]]
name = "small"
args = [1, [2.5, { tuple = [true] }], { null = true }]
kwargs = { x = "é" }
returns = { a = nan, b = { null = true } }
[[cases.expectations.calls]]
raises = "any"
"""

    found = expectations(tmp_path, text)

    assert (found.function, found.tolerance, found.compare) == ("add", 1e-6, Compare.SET)
    assert found.calls == (
        FunctionCall(
            name="small",
            args=(1, [2.5, {"tuple": [True]}], None),
            kwargs={"x": "é"},
            returns={"a": {"float": "nan"}, "b": None},
        ),
        FunctionCall(raises="any"),
    )


def test_calls_may_lie_in_a_file(tmp_path: Path) -> None:
    calls = [{"args": [10**30, None], "returns": {"set": [1]}}]
    written(tmp_path, json.dumps(calls), "calls.json")

    found = expectations(tmp_path, 'function = "f"\ncalls = { file = "calls.json" }\n')

    assert found.calls == (FunctionCall(args=(10**30, None), returns={"set": [1]}),)


def test_inputs_and_outputs_are_read(tmp_path: Path) -> None:
    written(tmp_path, "3\n", "out.txt")
    text = 'compare = "program"\ncomparator = "exit(0)"\n[[cases.expectations.io]]\n'
    text += 'stdin = "1 2"\nargs = ["-v"]\n'

    found = expectations(tmp_path, text + 'stdout = { file = "out.txt" }\n')

    assert found.io == (InputOutput(stdin="1 2", args=("-v",), stdout="3\n"),)
    assert (found.compare, found.comparator) == (Compare.PROGRAM, "exit(0)")


def test_variables_stand_in_calls_and_programs(tmp_path: Path) -> None:
    head = HEAD.replace("[cases.exp", '[[cases.variables]]\nword = ["x", "y"]\n[cases.exp')
    calls = 'function = "f_{{word}}"\n[[cases.expectations.calls]]\n'
    calls += 'args = [["{{word}}"]]\nreturns = { a = "{{word}}" }\n'
    programs = '[[cases.expectations.io]]\nstdin = "{{word}}"\nstdout = "{{word}}{{word}}"\n'

    called = read_eval_set(written(tmp_path, head + calls, "calls.toml")).cases[1].expectations
    run = read_eval_set(written(tmp_path, head + programs, "io.toml")).cases[1].expectations

    assert called.function == "f_y"
    assert called.calls == (FunctionCall(args=(["y"],), returns={"a": "y"}),)
    assert run.io == (InputOutput(stdin="y", stdout="yy"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'tests = "x"\nfunction = "f"\n{CALLS}', "has tests and calls; a case has one form"),
        (f'function = "f"\n{CALLS}{IO}', "has calls and io; a case has one form"),
        (CALLS, "'calls' needs the name of the function"),
        ('function = "f"\n', "'function' belongs to 'calls', and there are none"),
        (f'function = "f g"\n{CALLS}', '"f g" is no name of a function'),
        (f'function = "f"\n{CALLS}returns = 1\nraises = "any"\n', "both 'returns' and 'raises'"),
        (f'function = "f"\n{CALLS}retruns = 1\n', "did you mean 'returns'?"),
        (f'function = "f"\ncompare = "lines"\n{CALLS}', "it may be exact, exists, program, set"),
        (f'compare = "set"\n{IO}', "it may be exact, lines, numbers, program, tokens"),
        (f'compare = "sets"\n{IO}', "expected one of"),
        (f'compare = "program"\n{IO}', "'comparator' go together"),
        (f'comparator = "x"\n{IO}', "'comparator' go together"),
        (f'compare = "numbers"\ntolerance = 1\n{IO}', "less than 1"),
        (f"tolerance = 0.1\n{IO}", "'tolerance' belongs to compare = \"numbers\""),
        ('tests = "x"\ntolerance = 0.1\n', "'tolerance' belongs to 'calls' or 'io'"),
        ('function = "f"\ncalls = { file = "none.json" }\n', "cannot be read: No such file"),
        ('function = "f"\ncalls = { file = "../x.json" }\n', "is not inside the folder"),
        ('function = "f"\ncalls = { file = "text.json" }\n', "is no JSON"),
        ('function = "f"\ncalls = { file = "table.json" }\n', "holds no list"),
        ('function = "f"\ncalls = { fiel = "x" }\n', "expected a list of tables"),
        ('function = "f"\ncalls = { file = "wrong.json" }\n', "did you mean 'args'?"),
        ('function = "f"\ncalls = 1\n', "expected a list"),
    ],
)
def test_a_contradiction_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    written(tmp_path, "nope", "text.json")
    written(tmp_path, "{}", "table.json")
    written(tmp_path, '[{"arg": []}]', "wrong.json")

    with pytest.raises(InputError) as caught:
        expectations(tmp_path, text)

    assert message in str(caught.value)
    assert "set.toml:" in str(caught.value)


def test_a_run_keeps_the_calls_of_its_set(tmp_path: Path) -> None:
    calls = (
        '[{"args": [1000000000000000000000000000000, [null]], "kwargs": {"x": 1.5}, "returns": {"set": [1]}}]'
    )
    written(tmp_path, calls, "calls.json")
    text = 'function = "f"\ncalls = { file = "calls.json" }\ntolerance = 0.5\n'
    given = read_eval_set(written(tmp_path, HEAD + text, "set.toml"))
    location = location_of(str(tmp_path / "run"))

    write_eval_set(location, given)

    assert read_stored_set(location) == given
