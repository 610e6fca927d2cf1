"""Detect files of bigcode-evaluation-harness, and explain why they cannot be imported.

Its results contain means only, its generations no verdicts: neither says which answers passed.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from steelyard.errors import InputError
from steelyard.logs.files import top, whole
from steelyard.model.log import LogOptions


class BigcodeReader:
    """Detects files of bigcode-evaluation-harness."""

    def recognise(self, path: Path) -> bool:
        """Whether a file has results with a configuration, or a list of lists of answers."""
        keys = top(path)
        if isinstance(config := keys.get("config"), dict) and {"tasks", "n_samples"} <= config.keys():
            return True
        contents = whole(path)
        first = contents[0] if isinstance(contents, list) and contents else None
        return isinstance(first, list) and bool(first) and all(isinstance(answer, str) for answer in first)

    def read(self, paths: Sequence[Path], options: LogOptions) -> NoReturn:  # noqa: ARG002  # required by the port
        """Raise InputError: no verdicts."""
        raise InputError(
            f"{paths[0]}: bigcode-evaluation-harness does not record which answers passed; "
            f"check its generations with `steelyard run --replay`"
        )
