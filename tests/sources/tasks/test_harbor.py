"""Harbor's task folders as cases."""

from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.task import LANGUAGE, Network
from steelyard.sources.evalset.read import read_eval_set
from steelyard.sources.tasks.harbor import read_task

TASK = '[task]\nname = "org/sum"\ndescription = "Add."\n'


def write_task(folder: Path, text: str = TASK, **files: str) -> Path:
    names = {"environment/Dockerfile": "FROM x\n", "instruction.md": "Add.\n", "tests/test.sh": "#!/bin/sh\n"}
    for name, content in {**names, **files, "task.toml": text}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def test_a_task_is_a_case_whose_language_is_task(tmp_path: Path) -> None:
    case = read_task(write_task(tmp_path, f'schema_version = "1.4"\n{TASK}[agent]\nuser = 1000\n'))
    assert (case.id, case.suite, case.prompt, case.language) == ("sum", "org", "Add.\n", LANGUAGE)
    assert case.task is not None
    assert case.task.network is Network.PUBLIC  # Harbor's default
    assert [(step.name, step.agent_user) for step in case.task.steps] == [("", "1000")]


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2", "1.3", "1.4"])
def test_all_schema_versions_are_read_with_their_old_names(tmp_path: Path, version: str) -> None:
    text = f'version = "{version}"\n{TASK}[environment]\nmemory = "2G"\nallow_internet = false\n'
    task = read_task(write_task(tmp_path, text)).task
    assert task is not None
    assert (task.memory_mb, task.network) == (2048, Network.NONE)


def test_steps_have_their_own_instructions_limits_and_minimums(tmp_path: Path) -> None:
    steps = '[[steps]]\nname = "a"\nmin_reward = 0.5\n[steps.agent]\ntimeout_sec = 7\n[[steps]]\nname = "b"\n'
    instructions = {"steps/a/instruction.md": "First.", "steps/b/instruction.md": "Then."}
    case = read_task(write_task(tmp_path, f"{TASK}[agent]\ntimeout_sec = 9\n{steps}", **instructions))
    assert case.task is not None
    first, second = case.task.steps
    assert (first.prompt, first.agent_timeout_s, first.min_rewards) == ("First.", 7.0, {"reward": 0.5})
    assert (second.prompt, second.agent_timeout_s, second.min_rewards) == ("Then.", 9.0, {})


def test_a_separate_verifier_needs_a_dockerfile(tmp_path: Path) -> None:
    text = f'{TASK}[verifier]\nenvironment_mode = "separate"\n'
    with pytest.raises(InputError, match="separate verifier"):
        read_task(write_task(tmp_path / "a", text))
    task = read_task(write_task(tmp_path / "b", text, **{"tests/Dockerfile": "FROM x\n"})).task
    assert task is not None
    assert task.has_own_verifier


def test_every_file_is_part_of_a_tasks_digest(tmp_path: Path) -> None:
    before = read_task(write_task(tmp_path)).digest
    (tmp_path / "tests" / "test.sh").write_text("#!/bin/sh\nexit 1\n")
    assert read_task(tmp_path).digest != before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('schema_version = "2.0"\n', "schema_version '2.0'"),
        ('[environment]\nos = "windows"\n', "environment.os"),
        ("[environment]\ngpus = 1\n", "environment.gpus"),
        ('[[environment.mcp_servers]]\nname = "x"\n', "mcp_servers"),
        ("nothing = ", "cannot be read"),
    ],
)
def test_what_is_not_supported_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_task(write_task(tmp_path, text))


def test_variables_come_from_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TASK_A", "1")
    text = TASK + '[environment.env]\nA = "${TASK_A}"\nB = "${TASK_B:-two}"\n'
    task = read_task(write_task(tmp_path, text)).task
    assert task is not None
    assert task.env == {"A": "1", "B": "two"}
    with pytest.raises(InputError, match="TASK_B"):
        read_task(write_task(tmp_path, TASK + '[environment.env]\nB = "${TASK_B}"\n'))


def test_a_folder_of_tasks_is_an_eval_set(tmp_path: Path) -> None:
    write_task(tmp_path / "one")
    write_task(tmp_path / "two", TASK.replace("sum", "product"))
    eval_set = read_eval_set(tmp_path)
    assert [case.id for case in eval_set.cases] == ["sum", "product"]
    write_task(tmp_path / "three")
    with pytest.raises(InputError, match="same name"):
        read_eval_set(tmp_path)
