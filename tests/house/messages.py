"""Find what users are shown as sentences: errors, remarks and the help of options, from the source itself."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.house.package import REPOSITORY

SHOWING = frozenset({"note", "warn", "notify", "announce"})  # functions that write a remark
VALUE = "…"  # stands for what a message fills in
END = re.compile(r"[.!?](?:\s|$)|\n")
CODE = re.compile(r"`[^`]*`")  # a command or an option counts as one word
LONGEST = 25  # words
SENTENCE = 6  # words of a constant that is prose
PROGRAM = re.compile(r"\(\?|\$[@\w]")  # a pattern or a shell script, which is no prose


class Message(NamedTuple):
    """A text that users see, and where it is made."""

    place: str
    text: str

    def sentences(self) -> list[str]:
        """Return its sentences, each as a list of words would count them."""
        return [part.strip() for part in END.split(CODE.sub(VALUE, self.text)) if part.strip()]


def messages() -> Iterator[Message]:
    """Give every message of the package."""
    for path in sorted((REPOSITORY / "src" / "steelyard").rglob("*.py")):
        yield from messages_in(path.read_text(encoding="utf-8"), str(path.relative_to(REPOSITORY)))


def messages_in(source: str, name: str) -> Iterator[Message]:
    """Give every message of one module."""
    module = ast.parse(source)
    for statement in module.body:  # templates that a function fills in and shows
        text = _text(statement.value) if isinstance(statement, ast.Assign) else ""
        if len(text.split()) >= SENTENCE and not PROGRAM.search(text):
            yield Message(f"{name}:{statement.lineno}", text)
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and _is_shown(node):
            for argument in [*node.args[:1], *(one.value for one in node.keywords if one.arg == "help")]:
                text = _text(argument)
                if text:
                    yield Message(f"{name}:{node.lineno}", text)


def _is_shown(call: ast.Call) -> bool:
    function = call.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name in SHOWING or name.endswith("Error") or any(one.arg == "help" for one in call.keywords)


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) if isinstance(part, ast.Constant) else VALUE for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left) + _text(node.right)
    return VALUE if isinstance(node, ast.Name | ast.Call | ast.Attribute) else ""


def words(sentence: str) -> int:
    """Count words; what a message fills in is one."""
    return len(re.findall(r"[\w…'/.-]+", sentence))


def long_sentences() -> list[str]:
    """Return the sentences that are too long, each with its place."""
    return [
        f"{message.place}: {words(sentence)} words: {sentence}"
        for message in messages()
        for sentence in message.sentences()
        if words(sentence) > LONGEST
    ]
