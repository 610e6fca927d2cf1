import string

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from solution import decode, encode

ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci")
numbers = st.integers(min_value=0, max_value=2**80)


@given(numbers)
@example(0)
@example(61)
@example(62)
@example(2**64)
def test_round_trip(number):
    assert decode(encode(number)) == number


@given(numbers)
def test_only_known_digits(number):
    text = encode(number)
    assert set(text) <= set(ALPHABET)
    assert text == "0" or not text.startswith("0")


@given(numbers, numbers)
def test_order_of_padded_texts(a, b):
    first, second = encode(a).rjust(20, "0"), encode(b).rjust(20, "0")
    assert (a < b) == (first < second)


@given(st.text(alphabet=ALPHABET, min_size=1, max_size=12))
def test_decode_then_encode(text):
    assume(text == "0" or text[0] != "0")
    assert encode(decode(text)) == text


@given(st.integers(max_value=-1))
def test_negative(number):
    with pytest.raises(ValueError):
        encode(number)


@pytest.mark.parametrize("text", ["", "00", "01", "a-b", "ä", " 1", "1 "])
def test_invalid(text):
    with pytest.raises(ValueError):
        decode(text)


@pytest.mark.parametrize("number, text", [(0, "0"), (10, "A"), (36, "a"), (61, "z"), (62, "10"), (3843, "zz")])
def test_known_values(number, text):
    assert encode(number) == text
    assert decode(text) == number
