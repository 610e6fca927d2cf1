"""Shorten the output of tools for people, reproducibly.

Workspace paths and durations differ between checks and are replaced.
"""

import re

from steelyard.model.outcome import Classification, Facts, Outcome

LONGEST = 4096  # characters
_WORKSPACE = re.compile(r"/box/(?:work|tmp|home)/?|/tmp/steelyard-[\w.-]+/?")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_TIMES = re.compile(r"\b\d+(?:\.\d+)?(?:e[+-]?\d+)? ?(?:ns|µs|us|ms|s|sec|secs|seconds?)\b")
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]"
)  # surrogates too: UTF-8 cannot encode them


def excerpt(text: str, *, hide: tuple[str, ...] = (), longest: int = LONGEST) -> str:
    r"""Return the beginning of a text without escape codes, paths, durations and the words in `hide`.

    >>> excerpt("\x1b[31m/box/work/main.c:1: error\x1b[0m\n")
    'main.c:1: error'
    >>> excerpt("ok in 0.31 s, key 77ab", hide=("77ab",))
    'ok in … s, key …'
    """
    text = text[: longest * 4]
    for word in hide:
        text = text.replace(word, "…")
    text = _INVISIBLE.sub("�", _WORKSPACE.sub("", _ESCAPES.sub("", text)))
    text = _TIMES.sub("… s", text).strip()
    return text if len(text) <= longest else text[:longest].rstrip() + " …"


def explained(kind: Classification, detail: str) -> Outcome:
    """Return an outcome without counts: its classification and a reason."""
    return Outcome(facts=Facts(classification=kind), detail=excerpt(detail))
