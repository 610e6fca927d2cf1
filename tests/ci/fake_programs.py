"""Programs that only write down how they were called, for scripts whose real ones need a network."""

import os
from pathlib import Path


class FakePrograms:
    """A folder of fake programs, found before the real ones."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._notes = folder, folder / "calls"
        folder.mkdir()
        self._notes.touch()

    def add(self, name: str) -> Path:
        """Make a program that notes its name and its words and does nothing."""
        program = self._folder / name
        program.write_text(f'#!/bin/sh\necho "{name}" "$@" >> "{self._notes}"\n', encoding="utf-8")
        program.chmod(0o755)
        return program

    @property
    def path(self) -> str:
        """The search path with these programs in front."""
        return f"{self._folder}{os.pathsep}{os.environ['PATH']}"

    def calls(self) -> list[str]:
        """Return the calls so far."""
        return self._notes.read_text(encoding="utf-8").splitlines()
