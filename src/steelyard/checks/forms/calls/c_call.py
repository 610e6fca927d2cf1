"""Generate the C code that calls a function from its signature, since C has no reflection.

| parameter | argument |
|---|---|
| integers, floats, `bool` | a number, a boolean |
| `char`, `char *` | text |
| a pointer to one of these, followed by an integer | a list and its length |
| a final `size_t *`, if the function returns a pointer | none: the function stores the length |

The result of a void function is its first mutable list, or else its first mutable text.
"""

import re
from dataclasses import dataclass

from steelyard.errors import InputError

_SIGNATURE = re.compile(r"\s*(?P<returns>[\w\s*]+?)\s*\b(?P<name>\w+)\s*\((?P<parameters>[^()]*)\)\s*;?\s*")
_WHOLE = frozenset({"char", "short", "int", "long", "unsigned", "signed", "size_t", "ssize_t", "ptrdiff_t"})
_DOUBLES = frozenset({"double", "long double"})
_KNOWN = _WHOLE | {"float", "double", "bool", "_Bool", "void"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CType:
    """A C type: its words without `const`, and its number of pointers."""

    words: str
    depth: int
    is_const: bool

    @property
    def is_whole(self) -> bool:
        """Whether this is an integer type."""
        is_named = bool(re.fullmatch(r"u?int\d+_t", self.words))
        is_other = self.words == "char" or self.words in _DOUBLES
        return self.depth == 0 and (is_named or self.words.split()[0] in _WHOLE) and not is_other

    @property
    def is_flag(self) -> bool:
        """Whether this is a boolean type."""
        return self.depth == 0 and self.words in {"bool", "_Bool"}

    @property
    def is_list(self) -> bool:
        """Whether this is an array; `char *` is a text."""
        return self.depth == (2 if self.words == "char" else 1)

    def reader(self, source: str) -> str:
        """Return the code that reads a value of this type, or an element, from an item."""
        if self.words == "float":
            return f"steelyard_float({source})"
        if self.words in _DOUBLES:
            return f"({self.words})steelyard_number({source})"
        if self.words in {"bool", "_Bool"}:
            return f"steelyard_flag({source})"
        if self.words == "char":
            return f"steelyard_text({source})" if self.depth else f"steelyard_letter({source})"
        return f"({self.words})steelyard_whole({source})"


def c_call(signature: str) -> str:
    """Return the body of the C function that calls the answer's function.

    >>> c_call("int add(int a, int b)").splitlines()[-1].strip()
    'STEELYARD_PUT(add(a0, a1));'
    """
    read = _SIGNATURE.fullmatch(signature)
    if read is None:
        raise InputError(f"settings.signature {signature!r} is not the signature of a C function")
    returns = _parse_type(read["returns"], is_named=False)
    stated = read["parameters"].strip()
    kinds = [] if stated in {"", "void"} else [_parse_type(part, is_named=True) for part in stated.split(",")]
    stores_length = returns.is_list and bool(kinds) and kinds[-1].depth == 1
    lines, names, arguments = list[str](), list[str](), 0
    lists, texts = list[str](), list[str]()  # mutable parameters
    inputs = kinds[:-1] if stores_length else kinds
    index = 0
    while index < len(inputs):
        kind, source = inputs[index], f"steelyard_args[{arguments}]"
        arguments += 1
        if not kind.is_list:
            lines.append(f"{kind.words} {'*' * kind.depth}a{index} = {kind.reader(source)};")
            names.append(f"a{index}")
            texts += [f"STEELYARD_PUT(a{index});"] if kind.depth and not kind.is_const else []
            index += 1
            continue
        if index + 1 >= len(inputs) or not inputs[index + 1].is_whole:
            raise InputError(
                f"settings.signature {signature!r}: a pointer needs its length as the next parameter"
            )
        lines += _read_list(kind, index, source)
        names += [f"a{index}", f"l{index}.count"]
        lists += [] if kind.is_const else [f"STEELYARD_PUT_LIST(a{index}, l{index}.count);"]
        index += 2
    lines.insert(
        0, f'if (steelyard_count != {arguments}) steelyard_stop("the call has another number of arguments");'
    )
    call = f"{read['name']}({', '.join([*names, *(['&steelyard_length'] if stores_length else [])])})"
    return "\n".join(
        f"    {line}" for line in [*lines, *_write_result(returns, kinds, call, [*lists, *texts])]
    )


def _read_list(kind: CType, index: int, source: str) -> list[str]:
    element = f"{kind.words} {'*' * (kind.depth - 1)}"
    inner = CType(words=kind.words, depth=kind.depth - 1, is_const=False)
    return [
        f"struct steelyard_data l{index} = steelyard_list({source});",
        f"{element}*a{index} = steelyard_new((l{index}.count + 1) * sizeof *a{index});",
        f"for (size_t i = 0; i < l{index}.count; i++) a{index}[i] = {inner.reader(f'l{index}.items[i]')};",
    ]


def _write_result(returns: CType, kinds: list[CType], call: str, changed: list[str]) -> list[str]:
    if returns.words == "void" and not returns.depth:
        return [f"{call};", changed[0] if changed else 'steelyard_say("null");']
    if not returns.is_list:
        # The answer may declare `int` where the signature has `bool`.
        cast = "(_Bool)" if returns.is_flag else ""
        return [f"STEELYARD_PUT({cast}{call});"]
    if not kinds or "&steelyard_length" not in call:
        raise InputError(
            "settings.signature: a function that returns a pointer needs `size_t *length` at its end"
        )
    element = f"{returns.words} {'*' * returns.depth}"
    return [
        f"{kinds[-1].words} steelyard_length = 0;",
        f"{element}steelyard_result = ({element}){call};",
        "STEELYARD_PUT_LIST(steelyard_result, steelyard_length);",
    ]


def _parse_type(text: str, *, is_named: bool) -> CType:
    words = re.findall(r"\w+|\*|\[", text)
    depth = words.count("*") + words.count("[")
    named = [
        word for word in words if word not in {"*", "[", "const", "restrict", "static"} and not word.isdigit()
    ]
    if is_named and len(named) > 1 and named[-1] not in _KNOWN and not named[-1].endswith("_t"):
        named.pop()
    if not named or not all(word in _KNOWN or re.fullmatch(r"u?int\d+_t", word) for word in named):
        raise InputError(f"settings.signature: {text.strip()!r} is not a supported type of calls in C")
    return CType(words=" ".join(named), depth=depth, is_const="const" in words)
