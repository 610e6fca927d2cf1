import re
from dataclasses import dataclass
from enum import Enum


class TokenType(Enum):
    NUMBER = r"\d+(?:\.\d+)?"
    NAME = r"[A-Za-z_]\w*"
    OPERATOR = r"\*\*|==|<=|>=|[-+*/<>]"
    LPAREN = r"\("
    RPAREN = r"\)"


class TokenizeError(ValueError):
    def __init__(self, char, position):
        super().__init__(f"unexpected {char!r} at {position}")
        self.position = position


@dataclass(frozen=True)
class Token:
    type: TokenType
    text: str
    position: int


PATTERN = re.compile("|".join(f"(?P<{kind.name}>{kind.value})" for kind in TokenType))


def tokenize(source):
    position = 0
    while position < len(source):
        if source[position].isspace():
            position += 1
            continue
        match = PATTERN.match(source, position)
        if match is None:
            raise TokenizeError(source[position], position)
        yield Token(TokenType[match.lastgroup], match.group(), position)
        position = match.end()
