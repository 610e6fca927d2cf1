"""Of a Python that was installed into a user's home, a sandbox shows no more than it needs."""

from pathlib import Path

from steelyard.model.python_folders import python_binds


def test_of_a_home_only_the_programs_and_the_library_are_shown(tmp_path: Path) -> None:
    for name in ("bin", "lib", ".ssh", "letters"):
        (tmp_path / name).mkdir()

    shown = {Path(bind.source).name for bind in python_binds(tmp_path / "bin" / "python3", tmp_path)}

    assert shown == {"bin", "lib"}


def test_nothing_more_is_shown_of_a_python_that_every_sandbox_has() -> None:
    assert python_binds(Path("/usr/bin/python3"), Path("/usr")) == ()
