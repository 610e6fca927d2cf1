"""The two agents that need no model: one runs the task's solution, one does nothing."""

from dataclasses import replace
from pathlib import Path

from steelyard.checks.tasks.archive import write_archive
from steelyard.checks.tasks.trial import Attempt
from steelyard.checks.tasks.workspace import read_folder
from steelyard.errors import UserError
from steelyard.model.container import ContainerCommand
from steelyard.model.task import Task, TaskStep

FOLDER = "/solution"
SCRIPT = "solve.sh"
END_LENGTH = 300


def has_solution(task: Task) -> bool:
    """Whether each step of a task has a solution to run."""
    return bool(task.folder) and all((_folder(task, step) / SCRIPT).is_file() for step in task.steps)


def solve(attempt: Attempt) -> None:
    """Run the solution of a step."""
    task, step, container = attempt.task, attempt.step, attempt.container
    files = {f"{FOLDER[1:]}/{path}": file for path, file in read_folder(_folder(task, step)).items()}
    files[f"{FOLDER[1:]}/{SCRIPT}"] = replace(files[f"{FOLDER[1:]}/{SCRIPT}"], is_executable=True)
    container.put("/", write_archive(files, folders=(FOLDER[1:],)))
    done = container.run(
        ContainerCommand(
            argv=("sh", "-c", f"{FOLDER}/{SCRIPT}"),
            user=step.agent_user,
            workdir=attempt.workdir,
            env={**task.env, **task.solution_env},
            wall_s=step.agent_timeout_s,
        )
    )
    if not done.succeeded:
        reason = done.stderr.decoded().strip()[-END_LENGTH:] or f"exit code {done.exit_code}"
        raise UserError(f"{_folder(task, step)}/{SCRIPT} fails: {reason}")


def do_nothing(attempt: Attempt) -> None:
    """Leave the workspace as it is."""
    del attempt


def _folder(task: Task, step: TaskStep) -> Path:
    folder = Path(task.folder)
    return folder / "steps" / step.name / "solution" if step.name else folder / "solution"
