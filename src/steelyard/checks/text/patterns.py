"""Match patterns that may take for ever, such as (a+)+$, in a process that can be stopped.

Python's `re` holds the interpreter while it searches: neither a thread nor a signal ends it in time. A quick
answer is worth no process, so short texts and patterns without repeated repetition are searched at once.
"""

import json
import re
import subprocess
import sys

# Two repetitions of which one stands in the other, or side by side, are what it takes to be slow.
_REPEATED = re.compile(r"[*+?}]|\\\d")
_GROUP = re.compile(r"\(\?(?:[:=!>#]|<[=!]|P?<\w+>|[aimsux-]+[:)])")
_SHORT = 10_000
_SEARCH = """
import json, re, sys
pattern, text, flags = json.load(sys.stdin)
print(int(re.search(pattern, text, flags) is not None))
"""


class PatternTimeout(Exception):
    """A pattern took longer than it may."""


def matches(pattern: str, text: str, *, ignore_case: bool = False, limit_s: float = 10.0) -> bool:
    """Return whether a pattern matches somewhere in a text; a ValueError says that it is no pattern.

    >>> matches("a+b", "xaab")
    True
    """
    flags = re.MULTILINE | (re.IGNORECASE if ignore_case else 0)
    try:
        compiled = re.compile(pattern, flags)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(str(error)) from None
    if is_quick(pattern, len(text)):
        return compiled.search(text) is not None
    said = run_apart(_SEARCH, json.dumps([pattern, text, int(flags)]), limit_s=limit_s)
    return said.strip() == "1"


def is_quick(pattern: str, length: int) -> bool:
    """Whether a pattern cannot take long on a text of this length, by what it is made of.

    >>> is_quick("(?:a|b)+", 100), is_quick("(a+)+", 100)
    (True, False)
    """
    return len(_REPEATED.findall(_GROUP.sub("(", pattern))) <= 1 and length <= _SHORT


def run_apart(script: str, text: str, *, limit_s: float, with_packages: bool = False) -> str:
    """Return what our own script prints about a text, in a process that is stopped when its time is up."""
    flags = ["-I"] if with_packages else ["-I", "-S"]
    try:
        done = subprocess.run(  # noqa: S603  # our own interpreter with our own words
            [sys.executable, *flags, "-c", script],
            input=text,
            capture_output=True,
            check=True,
            text=True,
            encoding="utf-8",
            timeout=limit_s,
        )
    except subprocess.TimeoutExpired:
        raise PatternTimeout from None
    return done.stdout
