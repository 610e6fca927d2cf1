import math
import string

DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase


def encode(number):
    if number < 0:
        raise ValueError("negative")
    text = ""
    while number > 0:
        text = DIGITS[number % 62] + text
        number = math.floor(number / 62)
    return text


def decode(text):
    number = 0
    for char in text:
        number = number * 62 + DIGITS.index(char)
    return number
