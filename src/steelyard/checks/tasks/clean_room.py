"""Verify a workspace in a fresh container, which the agent has never seen."""

import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from steelyard.checks.tasks.archive import read_tree, write_archive
from steelyard.checks.tasks.reports import ENVIRONMENT, EVENTS, FOLDER, LIBRARY, LOGS, library_files
from steelyard.checks.tasks.workspace import (
    SCRIPT,
    Workspaces,
    environment_source,
    limits_of,
    verifier_source,
    workdir_of,
)
from steelyard.errors import SandboxError
from steelyard.model.container import ContainerCommand
from steelyard.model.execution import MIB, ExecResult
from steelyard.model.task import Network, Task, TaskStep
from steelyard.model.tree import Changes, File, Tree
from steelyard.ports import Container, ContainerEngine

TESTS = "/tests"
LARGEST_LOGS = 256 * MIB
ROOT = "root"
BRIDGE, NONE = "bridge", "none"  # networks, by the engines' names


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a verifier left behind."""

    ended: ExecResult
    logs: Tree = field(default_factory=Tree)
    left_processes: int = 0  # still running when the verifier had ended

    @property
    def events(self) -> bytes:
        """What pytest reported."""
        written = self.logs.files.get(EVENTS)
        return b"" if written is None else written.content


class CleanRoom:
    """Verifies workspaces; safe to call from many threads. Failures of the engine raise SandboxError."""

    def __init__(self, engine: ContainerEngine, workspaces: Workspaces) -> None:
        self._engine = engine
        self._workspaces = workspaces

    def verify(self, task: Task, step: TaskStep, changes: Changes, tests: Mapping[str, File]) -> Verification:
        """Run a step's tests on the original workspace with some changes."""
        image = self._engine.prepare(verifier_source(task))
        workdir = workdir_of(task, self._engine.prepare(environment_source(task)))
        limits = limits_of(task, commands_s=step.verifier_timeout_s)
        # Many verifiers install their tools first.
        network = BRIDGE if task.network is Network.PUBLIC else NONE
        with self._engine.container(image, limits, network=network) as container:
            fresh = None if task.has_own_verifier else container
            original = self._workspaces.original(task, fresh)
            whole = {**original.files, **changes.written} if task.has_own_verifier else changes.written
            place_workspace(container, workdir, whole, changes.deleted, owner=original.owner)
            self._place_tests(container, step, tests)
            ended = container.run(_test_command(task, step, workdir))
            left = container.count_processes() if ended.limit is None else 0
            container.freeze()
            logs = _take_logs(container)
        return Verification(ended=ended, logs=logs, left_processes=left)

    def _place_tests(self, container: Container, step: TaskStep, tests: Mapping[str, File]) -> None:
        """Put the tests in place, and folders that only the verifier's user can write."""
        files = {f"{TESTS[1:]}/{path}": file for path, file in tests.items()}
        files[f"{TESTS[1:]}/{SCRIPT}"] = replace(tests[SCRIPT], is_executable=True)
        files |= {f"{LIBRARY[1:]}/{path}": file for path, file in library_files().items()}
        folders = ("logs", "logs/agent", "logs/artifacts", LOGS[1:], FOLDER[1:], LIBRARY[1:], TESTS[1:])
        container.put("/", write_archive(files, folders=folders))
        if step.verifier_user in {"", ROOT, "0"}:
            return
        command = ContainerCommand(argv=("chown", step.verifier_user, LOGS), user="0")
        done = container.run(command)
        if done.exit_code != 0:
            raise SandboxError(f"the verifier's user: {done.stderr.decoded().strip()}")


def place_workspace(
    container: Container,
    workdir: str,
    files: Mapping[str, File],
    deleted: tuple[str, ...] = (),
    *,
    owner: tuple[int, int],
) -> None:
    """Write files into a container's workspace, and delete some."""
    if files:
        folders = sorted({str(parent) for path in files for parent in PurePosixPath(path).parents} - {"."})
        container.put(workdir, write_archive(files, owner=owner, folders=tuple(folders)))
    if deleted:
        remove = ("sh", "-c", f"xargs -0 rm -f -- < {FOLDER}/deleted")
        names = "\0".join(deleted).encode()
        archive = write_archive({"deleted": File(content=names)})
        container.put("/", write_archive({}, folders=(FOLDER[1:],)))
        container.put(FOLDER, archive)
        done = container.run(ContainerCommand(argv=remove, user="0", workdir=workdir))
        if done.exit_code != 0:
            raise SandboxError(f"files cannot be deleted: {done.stderr.decoded().strip()}")


def _test_command(task: Task, step: TaskStep, workdir: str) -> ContainerCommand:
    return ContainerCommand(
        argv=("sh", "-c", f"{TESTS}/{SCRIPT}"),  # `sh` also runs a script without a first line `#!`
        user=step.verifier_user or ROOT,
        workdir=workdir,
        env={**task.env, **step.verifier_env, **ENVIRONMENT},
        wall_s=step.verifier_timeout_s,
    )


def _take_logs(container: Container) -> Tree:
    try:
        with container.take(LOGS, limit_bytes=LARGEST_LOGS) as archive:
            return read_tree(archive, LOGS)
    except (ValueError, tarfile.TarError):  # larger than any log, or no folder any more
        return Tree()
