"""Programs that only write down how they were called, for scripts whose real ones need a network."""

import os
from pathlib import Path


class FakePrograms:
    """A folder of fake programs, found before the real ones."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._notes = folder, folder / "calls"
        folder.mkdir()
        self._notes.touch()

    def add(self, name: str, *, prints: str = "") -> Path:
        """Make a program that records its name and arguments and prints a text."""
        program = self.folder / name
        lines = ("#!/bin/sh", f'echo "{name}" "$@" >> "{self._notes}"', f"printf '%s' '{prints}'", "")
        program.write_text("\n".join(lines), encoding="utf-8")
        program.chmod(0o755)
        return program

    @property
    def path(self) -> str:
        """The search path with these programs in front."""
        return f"{self.folder}{os.pathsep}{os.environ['PATH']}"

    def calls(self) -> list[str]:
        """Return the calls so far."""
        return self._notes.read_text(encoding="utf-8").splitlines()
