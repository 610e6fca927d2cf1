"""Hold images, containers' limits and commands for container engines."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.model.execution import MIB


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSource:
    """An image: a reference of one that exists, or a folder with a Dockerfile to build it from."""

    reference: str = ""
    folder: str = ""
    timeout_s: float = 600.0

    @property
    def name(self) -> str:
        """The reference or the folder, for messages."""
        return self.reference or self.folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image of the engine; `id` is its digest."""

    id: str
    workdir: str = ""
    user: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerLimits:
    """What a container may use, all of its processes together."""

    memory_bytes: int
    cpus: float | None = None
    lifetime_s: float  # its first process then ends, and with it the container
    processes: int = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A folder of this machine that a container can read and not change."""

    source: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerCommand:
    """A command to run in a container; `user` and `workdir` default to the image's."""

    argv: tuple[str, ...]
    user: str = ""
    workdir: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    wall_s: float = 60.0
    output_bytes: int = 4 * MIB  # kept of each stream
