import string

DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
VALUES = {digit: value for value, digit in enumerate(DIGITS)}


def encode(number: int) -> str:
    if number < 0:
        raise ValueError("number must not be negative")
    digits = []
    while True:
        number, rest = divmod(number, 62)
        digits.append(DIGITS[rest])
        if number == 0:
            return "".join(reversed(digits))


def decode(text: str) -> int:
    if not text or (len(text) > 1 and text[0] == "0"):
        raise ValueError(f"not canonical: {text!r}")
    number = 0
    for char in text:
        if char not in VALUES:
            raise ValueError(f"not a base-62 digit: {char!r}")
        number = number * 62 + VALUES[char]
    return number
