"""Call a function of `answer.py`, and write each result as one line of JSON into the channel.

Runs in the answer's own process. Nothing here has to be trusted: what is expected is not here, and whatever a
line says is the answer's own claim.
"""

import base64
import json
import os
import site
import sys
import types
from collections.abc import Callable
from typing import Any

BITS = 13_000  # of a whole number that is written in decimal, within Python's own limit
READ: dict[str, Callable[[Any], Any]] = {
    "tuple": tuple,
    "set": lambda items: {hashable(item) for item in items},
    "bytes": base64.b64decode,
    "int": lambda text: int(text, 0),
    "float": float,
    "complex": lambda parts: complex(*parts),
    "dict": lambda pairs: {hashable(key): item for key, item in pairs},
    "null": lambda _: None,
}
Line = dict[str, Any]


def untagged(table: Line) -> Any:
    """Return what a tag stands for, or the table itself."""
    if len(table) == 1:
        for tag, content in table.items():
            if tag in READ:
                return READ[tag](content)
    return table


def hashable(value: Any) -> Any:
    """Return a value as a key of a table or an element of a set, as which other languages have lists too."""
    if isinstance(value, tuple | list):
        return tuple(hashable(item) for item in value)
    if isinstance(value, dict):
        return frozenset((key, hashable(item)) for key, item in value.items())
    return frozenset(value) if isinstance(value, set) else value


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it; raises TypeError for one that is no plain data."""
    if value is None or isinstance(value, bool):
        return value
    written = WRITTEN.get(type(value))
    if written is None:
        written = next((WRITTEN[kind] for kind in WRITTEN if isinstance(value, kind)), None)
    if written is None:
        raise TypeError
    return written(value)


def plain_int(value: int) -> Any:
    """Return a whole number; a very long one in hexadecimal digits."""
    number = int(value)
    return number if number.bit_length() < BITS else {"int": hex(number)}


def plain_float(value: float) -> Any:
    """Return a float; nan and infinities with a tag."""
    return float(value) if value - value == 0 else {"float": str(float(value))}


def plain_dict(value: dict[Any, Any]) -> Any:
    """Return a table; with a tag if a key is no text, or if it looks like a tag."""
    if all(type(key) is str for key in value) and not (len(value) == 1 and next(iter(value)) in READ):
        return {key: plain(item) for key, item in value.items()}
    return {"dict": [[plain(key), plain(item)] for key, item in value.items()]}


WRITTEN: dict[type, Callable[[Any], Any]] = {
    str: str.__str__,  # and not as a class of its own writes it, such as an enum
    int: plain_int,
    float: plain_float,
    list: lambda value: [plain(item) for item in value],
    tuple: lambda value: {"tuple": [plain(item) for item in value]},
    dict: plain_dict,
    set: lambda value: {"set": [plain(item) for item in value]},
    frozenset: lambda value: {"set": [plain(item) for item in value]},
    bytes: lambda value: {"bytes": base64.b64encode(value).decode()},
    bytearray: lambda value: {"bytes": base64.b64encode(value).decode()},
    complex: lambda value: {"complex": [plain(value.real), plain(value.imag)]},
}


def write(channel: int, line: Line) -> None:
    """Write one line into the channel."""
    data = memoryview(json.dumps(line).encode() + b"\n")
    while data:
        data = data[os.write(channel, data) :]


def failure(error: BaseException) -> Line:
    """Return the kinds of an error and its message."""
    try:
        return {"raises": [entry.__name__ for entry in type(error).__mro__], "message": str(error)[:300]}
    except BaseException:
        return {"raises": ["BaseException"], "message": ""}


def awaited(value: object) -> object:
    """Return what a coroutine returns, and any other value as it is."""
    if not isinstance(value, types.CoroutineType):
        return value
    import asyncio  # noqa: PLC0415  # slow to load, and most answers do without

    return asyncio.run(value)


def called(function: Callable[..., object], args: list[Any], kwargs: list[tuple[str, Any]]) -> Line:
    """Return what came of one call."""
    try:
        value = awaited(function(*args, **dict(kwargs)))
    except BaseException as error:
        return failure(error)
    try:
        return {"returns": plain(value)}
    except TypeError:
        return {"opaque": type(value).__name__}
    except BaseException as error:  # such as a value that is nested too deeply
        return {"unknown": str(error)[:300]}


def loaded(name: str, channel: int) -> tuple[Callable[..., object], Line | None]:
    """Return the answer's function, and why there is none."""
    with open("answer.py", "rb") as file:
        source = file.read()
    try:
        code = compile(source, "answer.py", "exec", dont_inherit=True)
    except BaseException as error:
        return print, {"error": "build", "message": f"{type(error).__name__}: {error}"}
    # Before any code of the answer runs: from now on no claim counts that it does not build.
    write(channel, {"built": True})
    module = sys.modules["answer"] = types.ModuleType("answer")
    module.__file__ = "answer.py"
    sys.path.insert(0, os.getcwd())
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        return print, {"error": "load", **failure(error)}
    function = module.__dict__.get(name)
    if not callable(function):
        return print, {"error": "load", "message": f"there is no function {name}"}
    return function, None


def main() -> None:
    """Read the calls, make them, and leave."""
    channel = int(os.environ["STEELYARD_CHANNEL"])
    site.setquit()  # `exit` and `quit`, which are missing where Python starts without `site`
    job = json.loads(sys.stdin.buffer.read(), object_hook=untagged)
    function, problem = loaded(job["function"], channel)
    if problem is not None:
        write(channel, problem)
    else:
        for number, (args, kwargs) in enumerate(job["calls"]):
            write(channel, {"call": number, **called(function, args, kwargs)})
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
