"""Name the special methods through which an object in one process may be used from the other.

An operator with two operands shows its object the other operand, which in a test is often the expected value;
those are kept apart, because an object that answers them as it likes would be right whatever is expected.
"""

EQUALITY = frozenset({"__eq__", "__ne__"})
COMPARING = frozenset({"__lt__", "__le__", "__gt__", "__ge__", "__contains__"})
_ARITHMETIC = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)
OPERATORS = frozenset(
    [f"__{name}__" for name in _ARITHMETIC]
    + [f"__r{name}__" for name in _ARITHMETIC]
    + [f"__i{name}__" for name in _ARITHMETIC if name != "divmod"]
)
SHOWN_THE_OTHER = EQUALITY | COMPARING | OPERATORS
ALONE = frozenset(
    {
        *("__call__", "__len__", "__iter__", "__next__", "__reversed__", "__bool__", "__hash__"),
        *("__getitem__", "__setitem__", "__delitem__", "__enter__", "__exit__", "__length_hint__"),
        *(
            "__int__",
            "__float__",
            "__complex__",
            "__index__",
            "__round__",
            "__trunc__",
            "__floor__",
            "__ceil__",
        ),
        *("__abs__", "__neg__", "__pos__", "__invert__", "__format__", "__bytes__", "__fspath__"),
        *("__instancecheck__", "__subclasscheck__", "__str__", "__repr__", "__dir__"),
    }
)
ALL = SHOWN_THE_OTHER | ALONE
UNHASHABLE = "no hash"


def dunders_of(kind: type) -> list[str]:
    """Return the special methods that a class has of its own, not merely as every object has them.

    >>> dunders_of(type("Tin", (), {"__len__": lambda self: 3}))
    ['__len__']
    """
    own: dict[str, object] = {}
    for base in reversed(kind.__mro__):
        if base is not object:
            own.update({name: item for name, item in vars(base).items() if name in ALL})
    names = sorted(name for name, item in own.items() if item is not None)
    is_hashable = own.get("__hash__", True) is not None
    return names if is_hashable else [*names, UNHASHABLE]
