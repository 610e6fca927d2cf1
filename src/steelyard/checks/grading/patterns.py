"""Match patterns under a time limit, since patterns such as (a|aa)+$ take exponential time.

Python's `re` cannot be interrupted. The package `regex` can, and it releases the GIL, but its timeout counts
the processor time of all threads. A slow search therefore restarts in a subprocess, which can be killed.
Patterns have the syntax of `re`; where `regex` differs, they are escaped.
"""

import json
import re
import signal
import subprocess
import sys
from functools import lru_cache
from typing import Any

QUICK_S = 0.25
LONGEST = 1_000_000  # characters; searching longer texts may take hundreds of megabytes
PATIENCE = 10  # wall time over processor time, for busy machines
# The kernel sends SIGXCPU at the soft limit and SIGKILL at the hard one.
ENDED_BY_LIMIT = (
    frozenset({-signal.SIGXCPU, -signal.SIGKILL}) if hasattr(signal, "SIGXCPU") else frozenset[int]()
)
STARTING_S = 10  # for starting the subprocess and its imports
MEMORY = 2 << 30
# Imports do not count: some packages take seconds to load.
_LIMITED = """
import math, time
try:
    import resource
    seconds = math.ceil(time.process_time() + {limit_s})
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
except (ImportError, ValueError, OSError):
    pass
"""
_IMPORTS = "import json, sys, regex"
_SEARCH = """
pattern, text, flags = json.load(sys.stdin)
print(int(regex.search(pattern, text, flags) is not None))
"""
_SET = r"\[\^?\]?(?:\\.|[^\\\]])*\]"
# A comment, an escape, a set, or a literal brace, which `regex` may parse as fuzzy matching: `{e<=1}`.
_PART = re.compile(rf"\(\?#[^)]*\)|\\N\{{|\\.|{_SET}|\{{(?!\d+(?:,\d*)?\}}|,\d*\}})", re.DOTALL)
_CLASS = re.compile(r"\\.|\[(?=:)", re.DOTALL)  # in a set: `regex` supports `[:alpha:]`


class PatternTimeout(Exception):
    """A pattern exceeded its time limit."""


def matches(pattern: str, text: str, *, ignore_case: bool = False, limit_s: float = 10.0) -> bool:
    """Return whether a pattern matches anywhere in a text; raises ValueError if it is invalid.

    >>> matches("a+b", "xaab")
    True
    """
    compiled = _compiled(pattern, ignore_case=ignore_case)
    if len(text) <= LONGEST:
        try:
            return bool(compiled.search(text, timeout=min(QUICK_S, limit_s), concurrent=True))
        except (TimeoutError, MemoryError):
            pass  # retried in a subprocess
    request = json.dumps([compiled.pattern, text, compiled.flags])
    return run_in_subprocess(_SEARCH, request, imports=_IMPORTS, limit_s=limit_s).strip() == "1"


def _compiled(pattern: str, *, ignore_case: bool) -> Any:  # noqa: ANN401  # a pattern of `regex`, not yet imported
    return compiled(pattern, flags=re.MULTILINE | (re.IGNORECASE if ignore_case else re.NOFLAG))


@lru_cache(maxsize=256)
def compiled(pattern: str, *, flags: re.RegexFlag = re.NOFLAG) -> Any:  # noqa: ANN401  # as above
    """Compile a pattern whose searches accept a `timeout`; raises ValueError if it is invalid."""
    import regex  # noqa: PLC0415  # takes 0.1 s, and few cases have a pattern

    try:
        re.compile(pattern)
        multiline = regex.MULTILINE if re.MULTILINE in flags else 0
        return regex.compile(
            as_regex(pattern), multiline | (regex.IGNORECASE if re.IGNORECASE in flags else 0)
        )
    except (re.error, regex.error, RecursionError, OverflowError) as error:
        raise ValueError(str(error)) from None


def as_regex(pattern: str) -> str:
    r"""Escape a pattern of `re` for `regex`, which has more syntax.

    >>> as_regex("a{2} {i} [[:x]"), as_regex("[{e}]")
    ('a{2} \\{i} [\\[:x]', '[{e}]')
    """
    return _PART.sub(_escape, pattern)


def _escape(part: re.Match[str]) -> str:
    text = part[0]
    if text == "{":
        return r"\{"
    if text[0] == "[":
        return "[" + _CLASS.sub(lambda sign: r"\[" if sign[0] == "[" else sign[0], text[1:])
    return text


def run_in_subprocess(script: str, text: str, *, imports: str, limit_s: float) -> str:
    """Run one of our scripts on a text in a subprocess and return its output.

    The limit is processor time, with a longer wall limit; memory is limited to 2 GiB. Raises PatternTimeout.
    """
    limited = imports + _LIMITED.format(limit_s=limit_s, memory=MEMORY) + script
    try:
        done = subprocess.run(  # noqa: S603  # our own interpreter and script
            [sys.executable, "-I", "-c", limited],
            input=text,
            capture_output=True,
            check=True,
            text=True,
            encoding="utf-8",
            timeout=STARTING_S + limit_s * PATIENCE,
        )
    except subprocess.TimeoutExpired:
        raise PatternTimeout from None
    except subprocess.CalledProcessError as error:
        if error.returncode in ENDED_BY_LIMIT or error.stderr.rstrip().endswith("MemoryError"):
            raise PatternTimeout from None
        raise
    return done.stdout
