"""Call a function of `answer.py` and write each result as a line of JSON to the channel.

Runs in the answer's process and is not trusted: expected results are elsewhere, and the answer may forge any
line.
"""

import base64
import json
import os
import site
import sys
import types
from collections.abc import Callable
from typing import Any

BITS = 13_000  # of integers within Python's limit of decimal digits
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
    """Return the value of a tag, or the table itself."""
    if len(table) == 1:
        for tag, content in table.items():
            if tag in READ:
                return READ[tag](content)
    return table


def hashable(value: Any) -> Any:
    """Make a value hashable, for keys and elements of sets."""
    if isinstance(value, tuple | list):
        return tuple(hashable(item) for item in value)
    if isinstance(value, dict):
        return frozenset((key, hashable(item)) for key, item in value.items())
    return frozenset(value) if isinstance(value, set) else value


def plain(value: Any) -> Any:
    """Encode a value as JSON; raises TypeError if it is not plain data."""
    if value is None or isinstance(value, bool):
        return value
    written = WRITTEN.get(type(value))
    if written is None:
        written = next((WRITTEN[kind] for kind in WRITTEN if isinstance(value, kind)), None)
    if written is None:
        raise TypeError
    return written(value)


def plain_int(value: int) -> Any:
    """Encode an integer; a very long one in hexadecimal digits."""
    number = int(value)
    return number if number.bit_length() < BITS else {"int": hex(number)}


def plain_float(value: float) -> Any:
    """Encode a float; nan and infinities with a tag."""
    return float(value) if value - value == 0 else {"float": str(float(value))}


def plain_dict(value: dict[Any, Any]) -> Any:
    """Encode a dict; with a tag if a key is not text, or if it looks like a tag."""
    if all(type(key) is str for key in value) and not (len(value) == 1 and next(iter(value)) in READ):
        return {key: plain(item) for key, item in value.items()}
    return {"dict": [[plain(key), plain(item)] for key, item in value.items()]}


WRITTEN: dict[type, Callable[[Any], Any]] = {
    str: str.__str__,  # ignoring __str__ of subclasses such as enums
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
    """Write a line to the channel."""
    data = memoryview(json.dumps(line).encode() + b"\n")
    while data:
        data = data[os.write(channel, data) :]


def failure(error: BaseException) -> Line:
    """Return the classes of an error and its message."""
    try:
        return {"raises": [entry.__name__ for entry in type(error).__mro__], "message": str(error)[:300]}
    except BaseException:
        return {"raises": ["BaseException"], "message": ""}


def awaited(value: object) -> object:
    """Run a coroutine; return other values unchanged."""
    if not isinstance(value, types.CoroutineType):
        return value
    import asyncio  # noqa: PLC0415  # slow to import, and rarely needed

    return asyncio.run(value)


def called(function: Callable[..., object], args: list[Any], kwargs: list[tuple[str, Any]]) -> Line:
    """Return the result of one call."""
    try:
        value = awaited(function(*args, **dict(kwargs)))
    except BaseException as error:
        return failure(error)
    try:
        return {"returns": plain(value)}
    except TypeError:
        return {"opaque": type(value).__name__}
    except BaseException as error:  # such as too deep nesting
        return {"unknown": str(error)[:300]}


def loaded(name: str, channel: int) -> tuple[Callable[..., object], Line | None]:
    """Return the answer's function, or the error."""
    with open("answer.py", "rb") as file:
        source = file.read()
    try:
        code = compile(source, "answer.py", "exec", dont_inherit=True)
    except BaseException as error:
        return print, {"error": "build", "message": f"{type(error).__name__}: {error}"}
    # Written before the answer runs: it cannot forge a build error afterwards.
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
    """Read the calls, execute them and exit."""
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
