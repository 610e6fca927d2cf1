"""Find or build the images of tasks: each once per digest, before any trial."""

import threading
from hashlib import sha256
from pathlib import Path
from typing import Any

from steelyard.environments.connection import Connection, translated_errors
from steelyard.errors import SandboxError
from steelyard.model.container import Image, ImageSource

REPOSITORY = "localhost/steelyard-task"
LOG_LINES = 8


class Images:
    """The images of one engine; safe to call from many threads."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._known: dict[ImageSource, Image] = {}

    def prepare(self, source: ImageSource) -> Image:
        """Return an image, which is built if the engine does not have it."""
        with self._lock:  # one build at a time: equal tasks share layers
            if source not in self._known:
                reference = source.reference or self._build(source)
                with translated_errors(f"image {source.name}"):
                    details = self._api.inspect_image(reference)
                config = details.get("Config") or {}
                self._known[source] = Image(
                    id=details["Id"], workdir=config.get("WorkingDir") or "", user=config.get("User") or ""
                )
            return self._known[source]

    @property
    def _api(self) -> Any:  # noqa: ANN401  # the package has no types
        return self._connection.client.api

    def _build(self, source: ImageSource) -> str:
        folder = Path(source.folder)
        if not (folder / "Dockerfile").is_file():
            raise SandboxError(f"{folder}: has no Dockerfile; only images and Dockerfiles are supported")
        tag = f"{REPOSITORY}:{folder_digest(folder)[:32]}"
        with translated_errors(f"building the image of {folder}"):
            if self._api.images(tag):
                return tag
            log = self._api.build(
                path=str(folder), tag=tag, rm=True, forcerm=True, decode=True, timeout=int(source.timeout_s)
            )
            lines = [event.get("error") or event.get("stream", "") for event in log]
            if not self._api.images(tag):
                end = "".join(lines).strip().splitlines()[-LOG_LINES:]
                raise SandboxError("\n".join([f"{folder}: the image cannot be built:", *end]))
        return tag


def folder_digest(folder: Path) -> str:
    """Return a digest of the names, modes and contents below a folder."""
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            content = str(path.readlink()).encode("utf-8", "surrogateescape")
        else:
            content = sha256(path.read_bytes()).digest() if path.is_file() else b""
        name = str(path.relative_to(folder)).encode("utf-8", "surrogateescape")
        digest.update(b"%s\0%o\0%s" % (name, path.lstat().st_mode, content))
    return digest.hexdigest()
