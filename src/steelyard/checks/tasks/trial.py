"""Let an agent work on a task in a container of its own, and take its answer out."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from steelyard.checks.tasks.answer import NOTE, write_answer
from steelyard.checks.tasks.archive import write_archive
from steelyard.checks.tasks.clean_room import place_workspace
from steelyard.checks.tasks.patch import write_patch
from steelyard.checks.tasks.workspace import (
    Workspaces,
    environment_source,
    limits_of,
    read_folder,
    take_workspace,
    workdir_of,
)
from steelyard.errors import SandboxError
from steelyard.model.container import ContainerCommand, Mount
from steelyard.model.task import HealthCheck, Task, TaskStep
from steelyard.model.tree import Tree, changes_between
from steelyard.ports import Container, ContainerEngine

LOG_FOLDERS = ("logs", "logs/agent", "logs/artifacts")
SETUP = "setup.sh"
SETUP_S = 600.0
# What git keeps besides the current files could hold the solution.
ONE_COMMIT = """
set -e
cd "$1"
rm -rf .git
git init -q
git -c core.hooksPath=/dev/null add -A -f
git -c core.hooksPath=/dev/null -c user.name=steelyard -c user.email=steelyard@localhost commit -q -m base
chown -R --reference=. .git
"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The container of a trial at the start of a step."""

    container: Container
    task: Task
    step: TaskStep
    workdir: str


Agent = Callable[[Attempt], None]


def run_trial(
    engine: ContainerEngine,
    workspaces: Workspaces,
    task: Task,
    agent: Agent,
    *,
    mounts: Sequence[Mount] = (),
) -> str:
    """Run an agent through all steps of a task and return the answer.

    A step that cannot begin, since its health check fails, ends the trial: the rest has no patch.
    """
    image = engine.prepare(environment_source(task))
    workdir = workdir_of(task, image)
    patches = dict[str, str]()
    commands_s = sum(step.agent_timeout_s for step in task.steps)
    with engine.container(image, limits_of(task, commands_s=commands_s), mounts=mounts) as container:
        original = workspaces.original(task, container)
        container.put("/", write_archive({}, folders=LOG_FOLDERS))
        if task.hides_history:
            _hide_history(container, workdir)
        for step in task.steps:
            attempt = Attempt(container, task, step, workdir)
            _upload_files(attempt, original)
            if step.health_check is not None and not _is_healthy(attempt, step.health_check):
                break
            agent(attempt)
            container.freeze()
            patches[step.name] = _patch(container, workdir, original)
            if step is not task.steps[-1]:
                container.thaw()
    return write_answer(patches)


def _patch(container: Container, workdir: str, original: Tree) -> str:
    """Return what a frozen container's workspace has changed, with notes of what no patch may hold."""
    try:
        current = take_workspace(container, workdir)
    except ValueError as error:
        return f"{NOTE}everything, since {error}\n"
    new = {path: kind for path, kind in current.others.items() if original.others.get(path) != kind}
    notes = "".join(f"{NOTE}{_one_line(path)}: {_one_line(kind)}\n" for path, kind in sorted(new.items()))
    return notes + write_patch(original, changes_between(original, current))


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _hide_history(container: Container, workdir: str) -> None:
    command = ContainerCommand(argv=("sh", "-c", ONE_COMMIT, "sh", workdir), user="0", wall_s=SETUP_S)
    done = container.run(command)
    if done.exit_code != 0:
        raise SandboxError(f"the repository's history cannot be hidden: {done.stderr.decoded().strip()}")


def _upload_files(attempt: Attempt, original: Tree) -> None:
    """Put a step's files into the workspace, and run their set-up."""
    if not attempt.step.name:
        return
    files = read_folder(Path(attempt.task.folder, "steps", attempt.step.name, "workdir"))
    place_workspace(attempt.container, attempt.workdir, files, owner=original.owner)
    if SETUP in files:
        argv = ("bash", SETUP)
        command = ContainerCommand(argv=argv, workdir=attempt.workdir, env=attempt.task.env, wall_s=SETUP_S)
        done = attempt.container.run(command)
        if done.exit_code != 0:
            raise SandboxError(f"{attempt.step.name}: {SETUP} fails: {done.stderr.decoded().strip()[-300:]}")


def _is_healthy(attempt: Attempt, check: HealthCheck) -> bool:
    command = ContainerCommand(
        argv=("sh", "-c", check.command),
        workdir=attempt.workdir,
        env=attempt.task.env,
        wall_s=check.timeout_s,
    )
    for number in range(max(1, check.retries)):
        if number:
            time.sleep(check.interval_s)
        if attempt.container.run(command).succeeded:
            return True
    return False
