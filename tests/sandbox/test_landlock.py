"""Landlock: without any filter, commands that share a network namespace still do not meet in it."""

import platform
from concurrent.futures import ThreadPoolExecutor

import pytest

from steelyard.sandbox.landlock import SCOPED, landlock_version, landlock_words
from steelyard.sandbox.seccomp.program import program
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox
from tests.sandbox.backends import BINDS, FLAGS, PYTHON, script

LISTENS = """
import socket
with socket.socket(socket.AF_UNIX) as server:
    server.bind("\\0meeting-point"); server.listen(); server.settimeout(2)
    try: server.accept(); print("met")
    except TimeoutError: print("no one came")
"""
CALLS = """
import socket, time
until = time.monotonic() + 2
while time.monotonic() < until:
    try: socket.socket(socket.AF_UNIX).connect("\\0meeting-point"); print("met"); break
    except PermissionError: print("refused"); break
    except OSError: time.sleep(0.01)
"""
NO_ONE = ("no one came", "")  # the two were not there at the same time
TRIES = 20


@pytest.fixture
def unfiltered(monkeypatch: pytest.MonkeyPatch) -> WarmPythonSandbox:
    """Return a sandbox as a processor has it whose numbers we do not know."""
    monkeypatch.setattr(platform, "machine", lambda: "vax")
    program.cache_clear()
    sandbox = WarmPythonSandbox(interpreter=PYTHON, flags=FLAGS, binds=BINDS)
    monkeypatch.undo()
    program.cache_clear()
    return sandbox


@pytest.mark.skipif(
    landlock_version() < SCOPED, reason=f"this kernel has {landlock_words(landlock_version())}"
)
def test_commands_do_not_meet_by_an_abstract_name(unfiltered: WarmPythonSandbox) -> None:
    def both() -> tuple[str, ...]:
        with ThreadPoolExecutor() as pool:
            results = pool.map(unfiltered.run, [script(LISTENS), script(CALLS)])
        return tuple(result.stdout.decoded().strip() for result in results)

    seen = next(words for words in (both() for _ in range(TRIES)) if words != NO_ONE)
    unfiltered.close()

    assert seen == ("no one came", "refused")


def test_the_version_is_said_with_what_it_lacks() -> None:
    assert landlock_words(SCOPED) == "Landlock 6"
    assert "without scopes" in landlock_words(SCOPED - 1)
