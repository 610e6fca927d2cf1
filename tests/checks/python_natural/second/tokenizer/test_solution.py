import dataclasses
from types import GeneratorType

import pytest

from solution import Token, TokenizeError, TokenType, tokenize


def texts(source):
    return [token.text for token in tokenize(source)]


def types(source):
    return [token.type for token in tokenize(source)]


def test_types_and_positions():
    assert list(tokenize("x + (12)")) == [
        Token(TokenType.NAME, "x", 0),
        Token(TokenType.OPERATOR, "+", 2),
        Token(TokenType.LPAREN, "(", 4),
        Token(TokenType.NUMBER, "12", 5),
        Token(TokenType.RPAREN, ")", 7),
    ]


def test_whitespace_is_ignored():
    assert texts("1+2") == texts(" 1 +\t2 \n") == ["1", "+", "2"]


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "**", "==", "<=", ">=", "<", ">"])
def test_operators(operator):
    assert texts(f"a{operator}b") == ["a", operator, "b"]
    assert types(f"a{operator}b")[1] is TokenType.OPERATOR


def test_decimal():
    (token,) = tokenize("2.50")
    assert token.type is TokenType.NUMBER
    assert token.text == "2.50"


def test_empty():
    assert list(tokenize("   ")) == []


def test_is_lazy():
    tokens = tokenize("a ?")
    assert isinstance(tokens, GeneratorType)
    assert next(tokens).text == "a"
    with pytest.raises(TokenizeError):
        next(tokens)


def test_error():
    with pytest.raises(TokenizeError, match=r"unexpected '\?' at 4") as info:
        list(tokenize("1 + ?"))
    assert info.value.position == 4
    assert isinstance(info.value, ValueError)


def test_token_is_frozen():
    token = Token(TokenType.NAME, "x", 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        token.text = "y"
