"""Show each call to a provider as a line, and write it to a log."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from steelyard.app.call_log import call_log
from steelyard.cli.screen import note
from steelyard.model.call import CallObserver, CallRecord
from steelyard.render.numbers import usd


@contextmanager
def watching_calls(log_file: Path | None, *, verbose: bool) -> Iterator[CallObserver]:
    """Return what is called with each call that ended."""
    with nullcontext(None) if log_file is None else call_log(log_file) as write:

        def observe(call: CallRecord) -> None:
            if verbose:
                note(call_line(call))
            if write is not None:
                write(call)

        yield observe


def call_line(call: CallRecord) -> str:
    """Put a call into one line."""
    name = f"{call.at[11:19]} {call.model} {call.suite}/{call.case} attempt {call.attempt}"
    if call.message is not None:
        again = ", tried again" if call.will_retry else ""
        return f"{name}: {call.ended} in call {call.number}{again}: {call.message}"
    parts = [
        None if call.latency_s is None else f"{call.latency_s:.1f} s",
        None if call.tokens_out is None else f"{call.tokens_out:,} tokens",
        None if call.cost_usd is None else usd(call.cost_usd),
    ]
    return f"{name}: answered in call {call.number}, {', '.join(filter(None, parts))}".rstrip(", ")
