"""Remember passing references across the runs of a user."""

import json
import platform
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from steelyard.checks.grading.digests import check_digest
from steelyard.errors import InfrastructureError
from steelyard.model.cache_folder import cache_folder
from steelyard.model.sample import text_digest
from steelyard.model.version import VERSION
from steelyard.runner.check.references import KnownAnswer

FOLDER = "references"


class PassedReferences:
    """Passing references by check and text, in memory and in an append-only file.

    One file per version of Steelyard and Python; none without a cache folder.
    """

    def __init__(self, sandbox: str) -> None:
        """Read the references that passed in this sandbox."""
        self._sandbox = sandbox
        self._path = _path()
        self._known: set[str] = set()
        if self._path is not None:
            with suppress(OSError):
                self._known.update(self._path.read_text(encoding="ascii", errors="replace").split())

    def __contains__(self, answer: KnownAnswer) -> bool:
        return self._digest(answer) in self._known

    def add(self, answers: Iterable[KnownAnswer]) -> None:
        """Add passing references."""
        fresh = [digest for answer in answers if (digest := self._digest(answer)) not in self._known]
        self._known.update(fresh)
        if self._path is None or not fresh:
            return
        with suppress(OSError):  # a full disk costs a check next time, nothing else
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="ascii") as file:
                file.write("".join(f"{digest}\n" for digest in fresh))

    def _digest(self, answer: KnownAnswer) -> str:
        case = answer.case
        limits = case.timeout_s, case.memory_mb  # no part of the check's digest
        form = (self._sandbox, check_digest(case.language, case), *limits, case.expected, answer.text)
        return text_digest(json.dumps(form))


def _path() -> Path | None:
    try:
        return cache_folder(FOLDER, f"passed-{VERSION}-python{platform.python_version()}.txt")
    except InfrastructureError:  # there is no home folder
        return None
