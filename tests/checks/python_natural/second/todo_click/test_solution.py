import pytest
from click.testing import CliRunner

from solution import cli


@pytest.fixture
def run(tmp_path):
    runner = CliRunner(env={"TODO_FILE": str(tmp_path / "tasks.json")})

    def run(*args, code=0, **kwargs):
        result = runner.invoke(cli, args, **kwargs)
        assert result.exit_code == code, result.output
        return result.output

    return run


@pytest.fixture
def three(run):
    run("add", "write tests")
    run("add", "fix build", "--priority", "high")
    run("add", "clean desk", "--priority=low")
    return run


def test_add(run):
    assert run("add", "milk") == "Added #1: milk\n"
    assert run("add", "eggs") == "Added #2: eggs\n"


def test_list(three):
    assert three("list").splitlines() == ["[ ] 2 fix build !", "[ ] 1 write tests", "[ ] 3 clean desk"]


def test_list_empty(run):
    assert run("list") == "Nothing to do.\n"


def test_done(three):
    assert three("done", "1", "3") == "Done: write tests\nDone: clean desk\n"
    assert three("list") == "[ ] 2 fix build !\n"
    assert "[x] 1 write tests" in three("list", "--all")


def test_unknown_number_changes_nothing(three):
    output = three("done", "1", "9", code=1)
    assert "Error: no task 9" in output
    assert "[x]" not in three("list", "--all")


def test_done_needs_a_number(three):
    assert "Missing argument" in three("done", code=2)
    assert "Invalid value" in three("done", "one", code=2)


def test_bad_priority(run):
    run("add", "x", "--priority", "urgent", code=2)


def test_clear(three):
    assert "Delete all tasks?" in three("clear", input="n\n", code=1)
    assert len(three("list").splitlines()) == 3
    three("clear", input="y\n")
    assert three("list") == "Nothing to do.\n"
    assert three("add", "new") == "Added #4: new\n"


def test_file_option(run, tmp_path):
    other = tmp_path / "other.json"
    run("--file", str(other), "add", "elsewhere")
    assert other.exists()
    assert run("list") == "Nothing to do.\n"


def test_default_file_in_isolated_folder():
    runner = CliRunner()
    with runner.isolated_filesystem():
        runner.invoke(cli, ["add", "here"])
        with open("todo.json") as handle:
            assert "here" in handle.read()
