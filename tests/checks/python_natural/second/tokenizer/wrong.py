import re
from dataclasses import dataclass
from enum import Enum


class TokenType(Enum):
    NUMBER = 1
    NAME = 2
    OPERATOR = 3
    LPAREN = 4
    RPAREN = 5


class TokenizeError(ValueError):
    def __init__(self, char, position):
        super().__init__(f"unexpected {char!r} at {position}")
        self.position = position


@dataclass(frozen=True)
class Token:
    type: TokenType
    text: str
    position: int


PATTERN = re.compile(
    r"\s*(?:(?P<NUMBER>\d+)|(?P<NAME>[A-Za-z_]\w*)|(?P<OPERATOR>[-+*/<>]|==|<=|>=|\*\*)|(?P<LPAREN>\()|(?P<RPAREN>\)))"
)


def tokenize(source):
    position = 0
    while position < len(source.rstrip()):
        match = PATTERN.match(source, position)
        if match is None:
            raise TokenizeError(source[position], position)
        yield Token(TokenType[match.lastgroup], match.group(match.lastgroup), match.start(match.lastgroup))
        position = match.end()
