"""Give the right command to a user who names two reports without the options that say which is which."""

import shlex
from collections.abc import Sequence
from itertools import takewhile


def right_command(command: str, words: Sequence[str]) -> str:
    """Return the command with `--baseline` and `--current` before the names that it begins with.

    >>> right_command("steelyard gate", ["a", "b", "--margin", "0.1"])
    'steelyard gate --baseline a --current b --margin 0.1'
    >>> right_command("steelyard compare", ["a", "--subjects", "T0", "T1"])
    'steelyard compare --current a --subjects T0 T1'
    """
    names = list(takewhile(lambda word: not word.startswith("-"), words))
    rest = words[len(names) :]
    if len(names) == 1:
        names = names if "--subjects" in rest else ["BASELINE", *names]
    baseline = ["--baseline", names[0]] if len(names) > 1 else []
    return f"{command} {shlex.join([*baseline, '--current', names[min(1, len(names) - 1)], *rest])}"
