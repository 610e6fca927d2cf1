"""Every command has its function: a command parses, calls a public function of `steelyard.app`, and shows."""

import ast
import inspect
from importlib import import_module
from pathlib import Path

import steelyard
from steelyard.cli.main import COMMANDS, GROUPS
from tests.docs.option_tables import command_names

# What a Python program calls to do what the command does.
FUNCTIONS = {
    "init": "init",
    "validate": "validate",
    "audit": "audit",
    "doctor": "doctor",
    "benchmarks list": "list_benchmarks",
    "benchmarks show": "find_benchmark",
    "benchmarks fetch": "fetch_benchmark",
    "benchmarks verify": "verify_benchmark",
    "run": "run",
    "serve": "load_eval_set",
    "regrade": "regrade",
    "score": "score_files",
    "report": "report_run",
    "view": "open_viewer",
    "runs": "list_runs",
    "show": "show_answers",
    "compare": "compare",
    "gate": "gate",
    "ci": "ci",
    "plan": "plan",
    "import": "import_files",
    "merge": "merge",
    "export": "export_run",
    "pass-at-k": "score_files",
    "baseline set": "set_baseline",
    "baseline list": "list_baselines",
    "baseline show": "read_baseline",
    "baseline remove": "remove_baseline",
    "baseline history": "history",
}
FURTHER = {
    "compare": {"matrix"},
    "export": {"export_log"},
    "pass-at-k": {"evaluate_directory"},
    "show": {"diff_answers"},
    "gate": {"confirm"},
    "plan": {"allocate"},
    "report": {"find_sinks", "send_report"},
    "run": {"find_sinks", "forecast_run", "load_benchmark", "send_report"},
    "benchmarks verify": {"write_verification"},
}  # by an option of the command


def used_names(command: str) -> set[str]:
    """Return the public names that the module of a command uses."""
    module = import_module(COMMANDS[command.split(maxsplit=1)[0]][0].partition(":")[0])
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "steelyard"
    }


def test_every_command_calls_its_function_which_is_public_and_a_use_case() -> None:
    assert sorted(FUNCTIONS) == sorted(command_names())
    for command, function in FUNCTIONS.items():
        wanted = {function} | FURTHER.get(command, set())
        assert wanted <= used_names(command), command
        for name in wanted:
            assert steelyard._HOMES[name].startswith("steelyard.app."), name


def test_a_command_uses_nothing_that_a_python_program_could_not() -> None:
    for command in COMMANDS:
        assert used_names(command) <= set(steelyard.__all__), command


def test_every_function_of_a_use_case_has_its_command() -> None:
    of_commands = {name for command in COMMANDS for name in used_names(command)}
    functions = {
        name
        for name, home in steelyard._HOMES.items()
        if home.startswith("steelyard.app.") and inspect.isfunction(getattr(steelyard, name))
    }
    # For a program that holds records already, or wants one step of a command.
    steps = {"find_report", "report_at", "write_result"}

    assert functions - steps == {name for name in of_commands if name in functions}


def test_every_command_is_in_one_section_of_the_help() -> None:
    assert sum(map(len, GROUPS.values())) == len(COMMANDS)


def test_there_are_few_enough_commands_to_scan() -> None:
    assert len(COMMANDS) <= 22
