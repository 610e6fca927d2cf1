"""Turn plain values into bytes and back, and nothing else: what arrives may come from a liar.

Plain are None, numbers, text, bytes, and lists, tuples, dicts and sets of them, by their exact types.
"""

import io
import pickle
import re
from typing import Any, NoReturn

ATOMS = frozenset({type(None), bool, int, float, str, bytes})
CONTAINERS = frozenset({list, tuple, dict, set, frozenset})
# The one instruction to pickle by which bytes could become more than plain, with a length that a message has.
BYTEARRAY = re.compile(re.escape(pickle.BYTEARRAY8) + rb".{4}\0{4}", re.DOTALL)


class NotPlain(Exception):
    """A value that is something more than a plain one."""


class Distrusted(Exception):
    """Bytes or a message that no honest sender would have sent."""


class _PlainPickler(pickle.Pickler):
    """Writes plain values at the speed of C; whatever else it meets ends the attempt."""

    def reducer_override(self, obj: object) -> NoReturn:  # noqa: ARG002  # pickle's signature
        """Be asked for everything that is not plain."""
        raise NotPlain


class _PlainUnpickler(pickle.Unpickler):
    """Reads plain values; with no class to be found, no bytes can build anything else."""

    def find_class(self, module_name: str, global_name: str, /) -> NoReturn:
        """Refuse to look for a class."""
        raise Distrusted(f"{module_name}.{global_name} is not plain")


def dumps(value: object) -> bytes:
    """Return a plain value as bytes; equal parts that are one object stay one object."""
    buffer = io.BytesIO()
    _PlainPickler(buffer, protocol=4).dump(value)  # the next one writes a bytearray without asking
    return buffer.getvalue()


def loads(data: bytes) -> object:
    """Return the plain value in some bytes."""
    try:
        value = _PlainUnpickler(io.BytesIO(data)).load()
    except Exception as error:  # a MemoryError too: a few bytes can announce more than there is
        raise Distrusted(f"unreadable message: {error}") from error
    if BYTEARRAY.search(data):
        _demand_plain(value)
    return value


def _demand_plain(root: object) -> None:
    """Raise Distrusted if there is anything but plain values within a value."""
    seen, waiting = set[int](), [root]
    while waiting:
        value: Any = waiting.pop()
        kind = type(value)
        if kind in ATOMS or id(value) in seen:
            continue
        if kind not in CONTAINERS:
            raise Distrusted(f"a {kind.__name__} is not plain")
        seen.add(id(value))
        waiting.extend(value)
        if kind is dict:
            waiting.extend(value.values())
