"""Containers of a real podman: commands, files, limits, and what is left behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.checks.tasks.archive import read_tree, write_archive
from steelyard.environments.engine import DockerEngine
from steelyard.environments.images import folder_digest
from steelyard.errors import SandboxError
from steelyard.model.container import ContainerCommand, ContainerLimits, Image, ImageSource
from steelyard.model.execution import MIB, Limit
from steelyard.model.tree import File
from steelyard.ports import Container
from tests.environments.conftest import SHELL_IMAGE
from tests.environments.podman import Podman

LIMITS = ContainerLimits(memory_bytes=128 * MIB, cpus=1.0, processes=64, lifetime_s=120)
START_AND_DIE = """
import os, sys
from steelyard.environments.engine import DockerEngine
from tests.environments.test_engine import LIMITS, SHELL
engine = DockerEngine(sys.argv[1])
with engine.container(engine.prepare(SHELL), LIMITS) as container:
    print(container.id, flush=True)
    os.kill(os.getpid(), 9)
"""
SHELL = ImageSource(reference=SHELL_IMAGE)


def run(container: Container, script: str, *, user: str = "", wall_s: float = 30.0) -> str:
    done = container.run(ContainerCommand(argv=("sh", "-c", script), user=user, wall_s=wall_s))
    assert done.exit_code == 0, done.stderr.decoded()
    return done.stdout.decoded().strip()


@pytest.fixture(scope="session")
def image(engine: DockerEngine) -> Image:
    return engine.prepare(SHELL)


def test_commands_of_a_container_share_files_without_a_network(engine: DockerEngine, image: Image) -> None:
    with engine.container(image, LIMITS) as container:
        container.put("/app", write_archive({"a/b.txt": File(content=b"one\n")}, owner=(1000, 1000)))
        assert run(container, "id -u; cat /app/a/b.txt; echo two > /app/a/b.txt", user="agent") == "1000\none"
        container.freeze()
        with container.take("/app", limit_bytes=MIB) as archive:
            assert read_tree(archive, "/app").files == {"a/b.txt": File(content=b"two\n")}
        container.thaw()
        assert run(container, "cat /proc/net/dev | sed -n '3,$p' | sed 's/:.*//'") == "lo"


@pytest.mark.check_all
def test_a_command_that_takes_too_long_ends_with_all_that_it_started(
    engine: DockerEngine, image: Image
) -> None:
    with engine.container(image, LIMITS) as container:
        late = container.run(ContainerCommand(argv=("sh", "-c", "sleep 99 & sleep 99"), wall_s=0.5))
        assert late.limit is Limit.WALL
        assert late.exit_code is None
        assert container.count_processes() == 0


@pytest.mark.check_all
def test_only_counters_make_a_kill_a_lack_of_memory(engine: DockerEngine, image: Image) -> None:
    with engine.container(image, LIMITS) as container:
        killed = container.run(ContainerCommand(argv=("sh", "-c", "kill -9 $$"), wall_s=10))
        assert (killed.exit_code, killed.limit) == (137, None)
        greedy = "a=x; while :; do a=$a$a; done"
        assert container.run(ContainerCommand(argv=("bash", "-c", greedy), wall_s=60)).limit is Limit.MEMORY


@pytest.mark.check_all
def test_processes_left_by_commands_are_counted(engine: DockerEngine, image: Image) -> None:
    with engine.container(image, LIMITS) as container:
        assert container.count_processes() == 0
        run(container, "sleep 60 > /dev/null 2>&1 &")
        assert container.count_processes() == 1
        container.end_processes()
        assert container.count_processes() == 0


@pytest.mark.check_all
def test_files_beyond_a_bound_and_missing_ones_are_refused(engine: DockerEngine, image: Image) -> None:
    with engine.container(image, LIMITS) as container:
        run(container, "seq 1000000 > /app/numbers")
        with pytest.raises(ValueError, match="MiB"):
            container.take("/app", limit_bytes=MIB)
        with pytest.raises(ValueError, match="does not exist"):
            container.take("/nowhere", limit_bytes=MIB)


@pytest.mark.check_all
def test_the_next_start_removes_the_containers_of_a_killed_process(
    engine: DockerEngine, podman: Podman, image: Image
) -> None:
    killed = subprocess.run(
        [sys.executable, "-c", START_AND_DIE, podman.address],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    left = killed.stdout.strip()
    listed = engine._connection.client.api.containers
    assert left in {item["Id"] for item in listed(all=True)}
    with engine.container(image, LIMITS) as mine:
        other = DockerEngine(podman.address)
        assert other.sweep() == 0  # its start has swept already
        other.close()
        assert {item["Id"] for item in listed(all=True)} == {mine.id}


@pytest.mark.check_all
def test_an_image_is_built_once_for_equal_folders(engine: DockerEngine, tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text(f"FROM {SHELL_IMAGE}\nWORKDIR /built\nCOPY Dockerfile /built/\n")
    built = engine.prepare(ImageSource(folder=str(tmp_path)))
    assert built.workdir == "/built"
    other = DockerEngine(engine._connection.address)
    assert other.prepare(ImageSource(folder=str(tmp_path))).id == built.id
    other.close()


@pytest.mark.check_all
def test_a_build_that_fails_shows_the_end_of_its_log(engine: DockerEngine, tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text(f"FROM {SHELL_IMAGE}\nRUN echo the reason && false\n")
    with pytest.raises(SandboxError, match="cannot be built"):
        engine.prepare(ImageSource(folder=str(tmp_path)))


def test_a_digest_of_a_folder_covers_names_modes_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    digests = {folder_digest(tmp_path)}
    (tmp_path / "a").chmod(0o755)
    digests.add(folder_digest(tmp_path))
    (tmp_path / "a").write_text("2")
    digests.add(folder_digest(tmp_path))
    (tmp_path / "a").rename(tmp_path / "b")
    digests.add(folder_digest(tmp_path))
    assert len(digests) == 4


@pytest.mark.check_all
def test_an_engine_that_is_gone_and_an_image_that_is_missing_are_infrastructure_errors(
    engine: DockerEngine, tmp_path: Path
) -> None:
    with pytest.raises(SandboxError, match="the container engine failed"):
        DockerEngine(f"unix://{tmp_path}/no.sock")
    with pytest.raises(SandboxError, match="no-such-image"):
        engine.prepare(ImageSource(reference="localhost/no-such-image:1"))
