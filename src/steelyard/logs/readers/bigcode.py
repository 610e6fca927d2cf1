"""Recognise files of bigcode-evaluation-harness, and say why they cannot become a run.

Its results hold means only and its generations no verdicts: which answers passed is in neither of them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from steelyard.errors import InputError
from steelyard.logs.files import top, whole
from steelyard.model.log import LogOptions


class BigcodeReader:
    """Knows files of bigcode-evaluation-harness."""

    def recognise(self, path: Path) -> bool:
        """Whether a file holds means by task beside a configuration, or a list of lists of answers."""
        keys = top(path)
        if isinstance(config := keys.get("config"), dict) and {"tasks", "n_samples"} <= config.keys():
            return True
        contents = whole(path)
        first = contents[0] if isinstance(contents, list) and contents else None
        return isinstance(first, list) and bool(first) and all(isinstance(item, str) for item in first)

    def read(self, paths: Sequence[Path], options: LogOptions) -> NoReturn:  # noqa: ARG002  # as the port has it
        """Say what is missing."""
        raise InputError(
            f"{paths[0]}: a file of bigcode-evaluation-harness holds means or answers, but not which answers "
            f"passed; check the generations here instead: `steelyard run --replay`"
        )
