"""The manual page is made of the command line itself, and troff has nothing to say against it."""

import shutil
import subprocess

import pytest

from scripts.write_man_page import PAGE, man_page
from tests.docs.option_tables import NEW_TYPER, command_names, option_names


@pytest.mark.skipif(not NEW_TYPER, reason="it is written with a newer typer")
def test_it_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == man_page(), "run python -m scripts.write_man_page"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_it_reads_as_a_manual_page_with_every_option() -> None:
    made = subprocess.run(
        ["groff", "-man", "-Tutf8", "-k", "-ww", "-P-cbou", str(PAGE)],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert made.stderr == ""
    for command in command_names():
        section = made.stdout.partition(f"steelyard {command}\n")[2].partition("\n   steelyard ")[0]
        options = {name for name in option_names(command) if name.startswith("--")}
        assert not {name for name in options if name not in section}, command
