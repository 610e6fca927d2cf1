"""Parse malformed JSON leniently and report the repairs.

Never guesses: missing values stay missing, and ambiguous texts are rejected.
"""

import json
import re
from dataclasses import dataclass, field

from steelyard.checks.extraction.fences import blocks
from steelyard.checks.forms.text.json import Json, json_in, strict_json

LONGEST = 200_000  # characters; longer texts are not repaired
DEEPEST = 100  # nested brackets

FENCE, PROSE, CLOSED = "a fence in the text", "text around it", "missing brackets at the end"
COMMENTS, COMMAS, QUOTES = "comments", "stray commas", "single quotes"
KEYS, WORDS, LINES = "keys without quotes", "words of another language", "line ends within quotes"

_SPACE = re.compile(r"\s+")
_COMMENT = re.compile(r"//[^\n]*|#[^\n]*|/\*.*?\*/", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_KEY = re.compile(r"[A-Za-z_$][\w$-]*")
_SIGN = re.compile(r'\\(?:\r\n|.)|["\r\n]', re.DOTALL)  # characters in strings that may need escapes
# A backslash at the end of a line continues it, as in JavaScript, JSON5 and Python.
_LINE_ENDS = frozenset({"\\\n", "\\\r\n"})
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_STRICT_WORDS = frozenset({"true", "false", "null"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A value and the repairs."""

    json: Json
    repairs: tuple[str, ...]


def repaired_json(text: str) -> Repaired | None:
    r"""Return the only JSON value in a text, repaired if necessary, or None.

    >>> repaired_json("Sure: {'a': 1,}").repairs
    ('text around it', 'single quotes', 'stray commas')
    >>> repaired_json("first [1] and then [2]") is None
    True
    """
    if len(text) > LONGEST:
        return None
    around = []
    fenced = [block.text for block in blocks(text)]
    if len(fenced) == 1:
        text, around = fenced[0], [FENCE]
        valid = json_in(text)
        if valid is not None:
            return Repaired(json=valid, repairs=(FENCE,))
    elif fenced:
        return None
    only_value = _only_value(text)
    if only_value is None:
        return None
    value, repairs, is_alone = only_value
    return Repaired(json=Json(value), repairs=(*around, *(() if is_alone else (PROSE,)), *repairs))


def _only_value(text: str) -> tuple[object, tuple[str, ...], bool] | None:
    """Return the value at the first bracket, if no other value follows."""
    begin = min((index for index in (text.find("{"), text.find("[")) if index >= 0), default=-1)
    if begin < 0:
        return None
    reader = _Reader(text=text, index=begin)
    try:
        value = reader.value(0)
        reader.skip_space()
    except _UnreadableError:
        return None
    after = text[reader.index :]
    if "{" in after or "[" in after:
        return None
    is_alone = not text[:begin].strip() and not after.strip()
    return value, tuple(dict.fromkeys(reader.repairs)), is_alone


class _UnreadableError(Exception):
    """The text cannot be repaired."""


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Parses from left to right without backtracking and collects repairs."""

    text: str
    index: int
    repairs: list[str] = field(default_factory=list)

    def value(self, depth: int) -> object:
        """Parse a value."""
        if depth > DEEPEST:
            raise _UnreadableError
        self.skip_space()
        match self.text[self.index : self.index + 1]:
            case "{":
                return self._object(depth)
            case "[":
                return self._list(depth)
            case '"' | "'":
                return self._string()
        return self._word()

    def skip_space(self) -> None:
        """Skip whitespace and comments."""
        while True:
            space = _SPACE.match(self.text, self.index)
            self.index = space.end() if space else self.index
            comment = _COMMENT.match(self.text, self.index)
            if comment is None:
                return
            self.repairs.append(COMMENTS)
            self.index = comment.end()

    def _object(self, depth: int) -> dict[str, object]:
        table: dict[str, object] = {}
        self.index += 1
        while not self._ends("}", is_first=not table):
            key = self._key()
            self.skip_space()
            self._expect(":")
            if key in table:
                raise _UnreadableError
            table[key] = self.value(depth + 1)
        return table

    def _list(self, depth: int) -> list[object]:
        values: list[object] = []
        self.index += 1
        while not self._ends("]", is_first=not values):
            values.append(self.value(depth + 1))
        return values

    def _ends(self, bracket: str, *, is_first: bool) -> bool:
        """Skip to the next element, or past the closing bracket, which may be missing at the end."""
        self.skip_space()
        commas = 0
        while self.text[self.index : self.index + 1] == ",":
            commas += 1
            self.index += 1
            self.skip_space()
        character = self.text[self.index : self.index + 1]
        if character == bracket or not character:
            self.repairs += [COMMAS] if commas else []
            self.repairs += [] if character else [CLOSED]
            self.index += len(character)
            return True
        if commas != (0 if is_first else 1):
            self.repairs.append(COMMAS)
        return False

    def _key(self) -> str:
        if self.text[self.index : self.index + 1] in {"'", '"'}:
            return self._string()
        key = _KEY.match(self.text, self.index)
        if key is None:
            raise _UnreadableError
        self.repairs.append(KEYS)
        self.index = key.end()
        return key[0]

    def _expect(self, sign: str) -> None:
        if self.text[self.index : self.index + 1] != sign:
            raise _UnreadableError
        self.index += 1

    def _string(self) -> str:
        quote = self.text[self.index]
        end = self.index + 1
        while self.text[end : end + 1] != quote:
            if end >= len(self.text):
                raise _UnreadableError  # a truncated string is lost
            end += 2 if self.text[end] == "\\" else 1
        inside = self.text[self.index + 1 : end]
        self.index = end + 1
        self.repairs += [QUOTES] if quote == "'" else []
        self.repairs += [LINES] if "\n" in inside else []
        try:
            return str(json.loads(f'"{_as_json(inside, quote)}"'))
        except ValueError:
            raise _UnreadableError from None

    def _word(self) -> object:
        number = _NUMBER.match(self.text, self.index)
        if number is not None:
            self.index = number.end()
            try:
                return strict_json(number[0])
            except ValueError:
                raise _UnreadableError from None
        word = _KEY.match(self.text, self.index)
        if word is None or word[0] not in _WORDS:
            raise _UnreadableError
        self.repairs += [] if word[0] in _STRICT_WORDS else [WORDS]
        self.index = word.end()
        return _WORDS[word[0]]


def _as_json(inside: str, quote: str) -> str:
    r"""Return the content of a string with the escapes of JSON.

    >>> _as_json("a \\\nb", '"'), _as_json("it\\'s \"so\"", "'")
    ('a b', 'it\'s \\"so\\"')
    """
    spans_lines = "\n" in inside

    def written(sign: re.Match[str]) -> str:
        match sign[0]:
            case '"':
                return '\\"'
            case "\\'" if quote == "'":
                return "'"
            case "\n":
                return "\\n"
            case "\r" if spans_lines:
                return ""
        return "" if sign[0] in _LINE_ENDS else sign[0]

    return _SIGN.sub(written, inside)
