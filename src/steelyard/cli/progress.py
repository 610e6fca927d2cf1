"""Show progress: a live view on a terminal, otherwise one line every few seconds; log calls."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict
from pathlib import Path

from steelyard.cli.screen import note
from steelyard.errors import InputError
from steelyard.model.call import CallObserver, CallRecord
from steelyard.model.progress import ProgressCallback, RunProgress
from steelyard.render.numbers import usd
from steelyard.render.run_progress import Throughput, remarks, subject_text

LINE_S = 5.0
Notify = Callable[[str], None]


@contextmanager
def watching(*, quiet: bool) -> Iterator[ProgressCallback]:
    """Yield the callback that shows a run's progress."""
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        from steelyard.cli.live_view import live_view  # noqa: PLC0415  # loads rich, which pipes do not need

        with live_view() as view:
            yield view
    else:
        yield Lines()


class Lines:
    """Writes a run's progress as a line every few seconds, and at once after Ctrl-C."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rate = Throughput()
        self._written_at = clock()
        self._was_stopping = False

    def __call__(self, progress: RunProgress) -> None:
        """Write a line unless the last one is recent."""
        now, total = self._clock(), progress.total
        self._rate.observe(now, total.ended)
        stops_now = progress.is_stopping and not self._was_stopping
        if now - self._written_at < LINE_S and not stops_now:
            return
        self._written_at, self._was_stopping = now, progress.is_stopping
        rate = self._rate.per_second(now, total.ended)
        text = subject_text("", total, rate, stops_early=progress.stops_early)
        note("; ".join([text.line(), *remarks(progress)]))


class EveryFewSeconds:
    """Writes a line unless the last one is recent."""

    def __init__(self, write: Notify = note, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._write, self._clock = write, clock
        self._written_at = clock()

    def __call__(self, text: str) -> None:
        """Write the text unless the last line is recent."""
        if self._clock() - self._written_at >= LINE_S:
            self._written_at = self._clock()
            self._write(text)


def counting(*, quiet: bool, notify: Notify | None = None) -> Callable[[int, int], None] | None:
    """Return a callback that reports how many answers were checked."""
    if quiet:
        return None
    write_line = notify or EveryFewSeconds()
    return lambda done, total: write_line(f"checked {done} of {total} answers")


def fetching(*, quiet: bool, notify: Notify | None = None) -> Callable[[str, int, int | None], None] | None:
    """Return a callback that reports how much of a file was fetched."""
    if quiet:
        return None
    write_line = notify or EveryFewSeconds()
    return lambda name, done, size: write_line(f"{name}: {done:,}{f' of {size:,}' if size else ''} bytes")


@contextmanager
def watching_calls(log_file: Path | None, *, verbose: bool) -> Iterator[CallObserver]:
    """Yield the callback that shows finished calls and writes them to a log."""
    with nullcontext(None) if log_file is None else call_log(log_file) as write:

        def observe(call: CallRecord) -> None:
            if verbose:
                note(call_line(call))
            if write is not None:
                write(call)

        yield observe


@contextmanager
def call_log(path: str | Path) -> Iterator[CallObserver]:
    """Open a log for appending; yield the function that writes a call as a JSON line."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        file = Path(path).open("a", encoding="utf-8")  # noqa: SIM115  # closed below, errors named here
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None

    def write(call: CallRecord) -> None:
        fields = {name: value for name, value in asdict(call).items() if value is not None}
        file.write(json.dumps(fields, ensure_ascii=False) + "\n")
        file.flush()

    try:
        yield write
    finally:
        with suppress(OSError):  # writing the last line has reported a full disk already
            file.close()


def call_line(call: CallRecord) -> str:
    """Describe a call in one line."""
    name = f"{call.at[11:19]} {call.model} {call.suite}/{call.case} attempt {call.attempt}"
    if call.message is not None:
        retry = ", tried again" if call.will_retry else ""
        return f"{name}: {call.ended} in call {call.number}{retry}: {call.message}"
    parts = [
        None if call.latency_s is None else f"{call.latency_s:.1f} s",
        None if call.tokens_out is None else f"{call.tokens_out:,} tokens",
        None if call.cost_usd is None else usd(call.cost_usd),
    ]
    return f"{name}: answered in call {call.number}, {', '.join(filter(None, parts))}".rstrip(", ")
