"""Read almost-JSON as a patient reader would, and say what had to be repaired.

For answers that a case reads leniently, and to tell how near the others came. Nothing is guessed: a value
that is not there stays missing, and two readings of one text are none.
"""

import json
import re
from dataclasses import dataclass, field

from steelyard.checks.extraction.fences import blocks
from steelyard.checks.forms.text.json import Json, json_in, strict_json

LONGEST = 200_000  # characters; more is not looked at
DEEPEST = 100  # brackets within brackets

FENCE, PROSE, CLOSED = "a fence in the text", "text around it", "missing brackets at the end"
COMMENTS, COMMAS, QUOTES = "comments", "stray commas", "single quotes"
KEYS, WORDS, LINES = "keys without quotes", "words of another language", "line ends within quotes"

_SPACE = re.compile(r"\s+")
_COMMENT = re.compile(r"//[^\n]*|#[^\n]*|/\*.*?\*/", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_KEY = re.compile(r"[A-Za-z_$][\w$-]*")
_SIGN = re.compile(r'\\(?:\r\n|.)|["\r\n]', re.DOTALL)  # what may have to be written otherwise within quotes
# A backslash at the end of a line joins it with the next one, as in JavaScript, JSON5 and Python.
_LINE_ENDS = frozenset({"\\\n", "\\\r\n"})
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_STRICT_WORDS = frozenset({"true", "false", "null"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A value, and what had to be repaired to read it."""

    json: Json
    repairs: tuple[str, ...]


def repaired_json(text: str) -> Repaired | None:
    r"""Return the one JSON value in a text, repaired where it must be, or None.

    >>> repaired_json("Sure: {'a': 1,}").repairs
    ('text around it', 'single quotes', 'stray commas')
    >>> repaired_json("one [1] and two [2]") is None
    True
    """
    if len(text) > LONGEST:
        return None
    around = []
    fenced = [block.text for block in blocks(text)]
    if len(fenced) == 1:
        text, around = fenced[0], [FENCE]
        plainly = json_in(text)
        if plainly is not None:
            return Repaired(json=plainly, repairs=(FENCE,))
    elif fenced:
        return None
    only_value = _only_value(text)
    if only_value is None:
        return None
    value, repairs, is_whole = only_value
    return Repaired(json=Json(value), repairs=(*around, *(() if is_whole else (PROSE,)), *repairs))


def _only_value(text: str) -> tuple[object, tuple[str, ...], bool] | None:
    """Return the value that begins at the first bracket, if no other one follows it."""
    begin = min((index for index in (text.find("{"), text.find("[")) if index >= 0), default=-1)
    if begin < 0:
        return None
    reader = _Reader(text=text, place=begin)
    try:
        value = reader.value(0)
        reader.blank()
    except _UnreadableError:
        return None
    after = text[reader.place :]
    if "{" in after or "[" in after:
        return None
    is_whole = not text[:begin].strip() and not after.strip()
    return value, tuple(dict.fromkeys(reader.repairs)), is_whole


class _UnreadableError(Exception):
    """This is not even almost JSON."""


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Reads from left to right, never going back, and notes what it repairs."""

    text: str
    place: int
    repairs: list[str] = field(default_factory=list)

    def value(self, depth: int) -> object:
        """Read one value."""
        if depth > DEEPEST:
            raise _UnreadableError
        self.blank()
        match self.text[self.place : self.place + 1]:
            case "{":
                return self._object(depth)
            case "[":
                return self._list(depth)
            case '"' | "'":
                return self._string()
        return self._word()

    def blank(self) -> None:
        """Go past blanks and comments."""
        while True:
            space = _SPACE.match(self.text, self.place)
            self.place = space.end() if space else self.place
            comment = _COMMENT.match(self.text, self.place)
            if comment is None:
                return
            self.repairs.append(COMMENTS)
            self.place = comment.end()

    def _object(self, depth: int) -> dict[str, object]:
        made: dict[str, object] = {}
        self.place += 1
        while not self._ends("}", is_first=not made):
            key = self._key()
            self.blank()
            self._expect(":")
            if key in made:
                raise _UnreadableError
            made[key] = self.value(depth + 1)
        return made

    def _list(self, depth: int) -> list[object]:
        made: list[object] = []
        self.place += 1
        while not self._ends("]", is_first=not made):
            made.append(self.value(depth + 1))
        return made

    def _ends(self, bracket: str, *, is_first: bool) -> bool:
        """Go to the next item, or past the bracket at the end; a text that stops short ends here too."""
        self.blank()
        commas = 0
        while self.text[self.place : self.place + 1] == ",":
            commas += 1
            self.place += 1
            self.blank()
        here = self.text[self.place : self.place + 1]
        if here == bracket or not here:
            self.repairs += [COMMAS] if commas else []
            self.repairs += [] if here else [CLOSED]
            self.place += len(here)
            return True
        if commas != (0 if is_first else 1):
            self.repairs.append(COMMAS)
        return False

    def _key(self) -> str:
        if self.text[self.place : self.place + 1] in {"'", '"'}:
            return self._string()
        key = _KEY.match(self.text, self.place)
        if key is None:
            raise _UnreadableError
        self.repairs.append(KEYS)
        self.place = key.end()
        return key[0]

    def _expect(self, sign: str) -> None:
        if self.text[self.place : self.place + 1] != sign:
            raise _UnreadableError
        self.place += 1

    def _string(self) -> str:
        quote = self.text[self.place]
        end = self.place + 1
        while self.text[end : end + 1] != quote:
            if end >= len(self.text):
                raise _UnreadableError  # where a text was cut off in the middle of a word, the word is lost
            end += 2 if self.text[end] == "\\" else 1
        inside = self.text[self.place + 1 : end]
        self.place = end + 1
        self.repairs += [QUOTES] if quote == "'" else []
        self.repairs += [LINES] if "\n" in inside else []
        try:
            return str(json.loads(f'"{_as_json(inside, quote)}"'))
        except ValueError:
            raise _UnreadableError from None

    def _word(self) -> object:
        number = _NUMBER.match(self.text, self.place)
        if number is not None:
            self.place = number.end()
            try:
                return strict_json(number[0])
            except ValueError:
                raise _UnreadableError from None
        word = _KEY.match(self.text, self.place)
        if word is None or word[0] not in _WORDS:
            raise _UnreadableError
        self.repairs += [] if word[0] in _STRICT_WORDS else [WORDS]
        self.place = word.end()
        return _WORDS[word[0]]


def _as_json(inside: str, quote: str) -> str:
    r"""Return what stands within quotes as JSON writes it; sign by sign, since a backslash may be escaped.

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
