"""The description of a container: its command waits for a word, and without one it never starts."""

import os
import subprocess

import pytest

from steelyard.sandbox.oci.bundle import GATE, GATED, READY


@pytest.mark.parametrize(("word", "said"), [(b"+\n", b"here\n"), (b"", b"")])
def test_a_command_that_is_not_let_in_never_starts(word: bytes, said: bytes) -> None:
    reading, writing = os.pipe()
    os.write(writing, word)
    os.close(writing)  # as when the process that would let it in has died
    wired = f'exec /bin/sh -c "$GATED" sh "$@" {GATE}</dev/fd/{reading} {READY}>/dev/null'

    done = subprocess.run(
        ["/bin/sh", "-c", wired, "sh", "/bin/echo", "here"],
        env={"GATED": GATED},
        pass_fds=[reading],
        capture_output=True,
        check=False,
    )
    os.close(reading)

    assert done.stdout == said
