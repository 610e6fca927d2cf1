"""Write a line of JSON for each call to a provider, to be searched later or followed with `tail -f`."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from steelyard.errors import InputError
from steelyard.model.call import CallObserver, CallRecord


@contextmanager
def call_log(path: str | Path) -> Iterator[CallObserver]:
    """Open a log to which calls are added; every line is complete when the next call begins."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        file = Path(path).open("a", encoding="utf-8")  # noqa: SIM115  # closed below, errors named here
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None

    def write(call: CallRecord) -> None:
        known = {name: value for name, value in asdict(call).items() if value is not None}
        file.write(json.dumps(known, ensure_ascii=False) + "\n")
        file.flush()

    try:
        yield write
    finally:
        with suppress(OSError):  # a full disk was said when a line did not fit; the run itself is complete
            file.close()
