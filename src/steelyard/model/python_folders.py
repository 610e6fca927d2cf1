"""Say which folders of a Python a sandbox must show."""

from pathlib import Path

from steelyard.model.execution import Bind

NEEDED = ("bin", "lib", "lib64")


def python_binds(program: Path, prefix: Path) -> tuple[Bind, ...]:
    """Return what to show of a Python, where `/usr`, which every sandbox shows, does not hold it.

    Not the whole folder in which it was installed: that may be a user's home.
    """
    if program.is_relative_to("/usr"):
        return ()
    folders = (prefix.resolve() / name for name in NEEDED)
    return tuple(Bind(source=str(folder)) for folder in folders if folder.is_dir())
