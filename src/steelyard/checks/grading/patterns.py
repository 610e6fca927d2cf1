"""Match patterns that may take for ever, such as (a|aa)+$, and stop when their time is up.

Python's `re` cannot be stopped, so the package `regex` searches, and lets other threads go on meanwhile. It
knows no limit but the processor time of all threads, so a search that is not over at once begins again in a
process that can be killed. A pattern is one of `re` all the same: what `regex` would read otherwise is
written so that both read the same.
"""

import json
import re
import signal
import subprocess
import sys
from functools import lru_cache
from typing import Any

QUICK_S = 0.25
LONGEST = 1_000_000  # characters; on a longer text a search may need hundreds of megabytes
PATIENCE = 10  # how many times its processor time a process may take on a busy machine
# The kernel ends a process at its soft limit by one signal, and by the other if it goes on.
ENDED_BY_LIMIT = (
    frozenset({-signal.SIGXCPU, -signal.SIGKILL}) if hasattr(signal, "SIGXCPU") else frozenset[int]()
)
STARTING_S = 10  # for the imports of such a process, which may have to wait as well
MEMORY = 2 << 30
# What the imports took is no fault of the text. Some packages take seconds to load.
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
# A comment, something escaped, a set, or a brace that repeats nothing, which `regex` may take for `{e<=1}`.
_PART = re.compile(rf"\(\?#[^)]*\)|\\N\{{|\\.|{_SET}|\{{(?!\d+(?:,\d*)?\}}|,\d*\}})", re.DOTALL)
_CLASS = re.compile(r"\\.|\[(?=:)", re.DOTALL)  # in a set: `regex` takes `[:alpha:]` for all letters


class PatternTimeout(Exception):
    """A pattern took longer than it may."""


def matches(pattern: str, text: str, *, ignore_case: bool = False, limit_s: float = 10.0) -> bool:
    """Return whether a pattern matches somewhere in a text; a ValueError says that it is no pattern.

    >>> matches("a+b", "xaab")
    True
    """
    compiled = _compiled(pattern, ignore_case=ignore_case)
    if len(text) <= LONGEST:
        try:
            return bool(compiled.search(text, timeout=min(QUICK_S, limit_s), concurrent=True))
        except (TimeoutError, MemoryError):
            pass  # it may still end, in a process of its own
    request = json.dumps([compiled.pattern, text, compiled.flags])
    return run_in_subprocess(_SEARCH, request, imports=_IMPORTS, limit_s=limit_s).strip() == "1"


def _compiled(pattern: str, *, ignore_case: bool) -> Any:  # noqa: ANN401  # a pattern of `regex`, not yet imported
    return compiled(pattern, flags=re.MULTILINE | (re.IGNORECASE if ignore_case else re.NOFLAG))


@lru_cache(maxsize=256)
def compiled(pattern: str, *, flags: re.RegexFlag = re.NOFLAG) -> Any:  # noqa: ANN401  # as above
    """Return a pattern whose searches take a `timeout`; a ValueError says that it is no pattern."""
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
    r"""Return a pattern of `re` in the form in which `regex` understands the same.

    >>> as_regex("a{2} {i} [[:x]"), as_regex("[{e}]")
    ('a{2} \\{i} [\\[:x]', '[{e}]')
    """
    return _PART.sub(_same, pattern)


def _same(part: re.Match[str]) -> str:
    text = part[0]
    if text == "{":
        return r"\{"
    if text[0] == "[":
        return "[" + _CLASS.sub(lambda sign: r"\[" if sign[0] == "[" else sign[0], text[1:])
    return text


def run_in_subprocess(script: str, text: str, *, imports: str, limit_s: float) -> str:
    """Return what our own script prints about a text, in a process that is stopped when its time is up.

    Processor time counts: a busy machine is no fault of the text. One that sleeps is stopped too, later. So
    is one that needs more than 2 GiB of memory.
    """
    limited = imports + _LIMITED.format(limit_s=limit_s, memory=MEMORY) + script
    try:
        done = subprocess.run(  # noqa: S603  # our own interpreter with our own words
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
