"""Find the workspace of a task, its files in the image, and the files that no answer may change."""

import threading
from collections import OrderedDict
from pathlib import Path, PurePosixPath

from steelyard.checks.grading.protected import SETTINGS_FILES, is_test_file
from steelyard.checks.tasks.archive import read_tree
from steelyard.checks.tasks.patch import is_writable_name
from steelyard.errors import InputError
from steelyard.model.container import ContainerLimits, Image, ImageSource
from steelyard.model.execution import GIB, MIB
from steelyard.model.task import Task
from steelyard.model.tree import File, Tree
from steelyard.ports import Container, ContainerEngine

DEFAULT_WORKDIR = "/app"
SCRIPT = "test.sh"
DEFAULT_MEMORY = 4 * GIB
LARGEST_WORKSPACE = GIB
REMEMBERED = 8  # workspaces of images, in memory
# Installed packages: a changed one could change how tests run.
PACKAGE_FOLDERS = frozenset({"site-packages", "node_modules", ".venv", "venv"})
START_FILES = SETTINGS_FILES | {"conftest.py"}
OVERHEAD_S = 600.0  # of a container's lifetime, besides its commands


def environment_source(task: Task) -> ImageSource:
    """Return the image in which the agent works."""
    if task.image:
        return ImageSource(reference=task.image)
    return ImageSource(folder=f"{task.folder}/environment", timeout_s=task.build_timeout_s)


def verifier_source(task: Task) -> ImageSource:
    """Return the image in which the result is verified."""
    if not task.has_own_verifier:
        return environment_source(task)
    return ImageSource(folder=f"{task.folder}/tests", timeout_s=task.build_timeout_s)


def workdir_of(task: Task, image: Image) -> str:
    """Return the workspace's path in the container."""
    workdir = task.workdir or image.workdir
    return DEFAULT_WORKDIR if workdir in {"", "/"} else workdir


def limits_of(task: Task, *, commands_s: float) -> ContainerLimits:
    """Return the limits of a container that runs commands for some time."""
    memory = DEFAULT_MEMORY if task.memory_mb is None else task.memory_mb * MIB
    return ContainerLimits(memory_bytes=memory, cpus=task.cpus, lifetime_s=commands_s + OVERHEAD_S)


def take_workspace(container: Container, workdir: str) -> Tree:
    """Return the workspace of a container; raises ValueError if it is too large or not a folder."""
    with container.take(workdir, limit_bytes=LARGEST_WORKSPACE) as archive:
        tree = read_tree(archive, workdir)
    odd = {path: "a name that no patch can hold" for path in tree.files if not is_writable_name(path)}
    if not odd:
        return tree
    plain = {path: file for path, file in tree.files.items() if path not in odd}
    return Tree(files=plain, others={**tree.others, **odd}, owner=tree.owner)


class Workspaces:
    """The workspaces of images as they were built; safe to call from many threads."""

    def __init__(self, engine: ContainerEngine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], Tree] = OrderedDict()

    def original(self, task: Task, container: Container | None = None) -> Tree:
        """Return the workspace of a task's image, read once; `container` is a fresh one of it."""
        image = self._engine.prepare(environment_source(task))
        key = (image.id, workdir_of(task, image))
        with self._lock:
            if key not in self._known:
                self._known[key] = self._read(task, image, container)
                while len(self._known) > REMEMBERED:
                    self._known.popitem(last=False)
            return self._known[key]

    def _read(self, task: Task, image: Image, container: Container | None) -> Tree:
        workdir = workdir_of(task, image)
        if container is not None:
            return take_workspace(container, workdir)
        with self._engine.container(image, limits_of(task, commands_s=0.0)) as fresh:
            return take_workspace(fresh, workdir)


def protected_paths(task: Task, paths: tuple[str, ...]) -> frozenset[str]:
    """Return which of some changed files an answer may not change: tests, their settings, packages.

    The tests of SWE-bench's records are the files that their scripts replace.
    """
    expected = task.expected
    if expected is None:
        return frozenset(path for path in paths if is_test_file(path) or _is_package(path))
    return frozenset(
        path
        for path in paths
        if path in expected.files or PurePosixPath(path).name in START_FILES or _is_package(path)
    )


def read_folder(folder: Path) -> dict[str, File]:
    """Return the files of a folder of this machine; links are followed, as the author's own."""
    if not folder.is_dir():
        return {}
    return {
        str(path.relative_to(folder)): File(
            content=path.read_bytes(), is_executable=bool(path.stat().st_mode & 0o100)
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def hidden_files(task: Task, step: str) -> dict[str, File]:
    """Return the files of a step's tests: those of all steps, and its own."""
    if task.expected is not None:
        return {SCRIPT: File(content=task.expected.script.encode(), is_executable=True)}
    folder = Path(task.folder)
    own = read_folder(folder / "steps" / step / "tests") if step else {}
    files = {**read_folder(folder / "tests"), **own}
    if not files:
        raise InputError(f"{folder}: has no tests")
    return files


def _is_package(path: str) -> bool:
    return not PACKAGE_FOLDERS.isdisjoint(PurePosixPath(path).parts)
