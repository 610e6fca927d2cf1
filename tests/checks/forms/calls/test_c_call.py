"""The code that calls a C function, made from its signature."""

import pytest

from steelyard.checks.forms.calls.c_call import c_call
from steelyard.errors import InputError


@pytest.mark.parametrize(
    ("signature", "call"),
    [
        ("int add(int a, int b)", "STEELYARD_PUT(add(a0, a1));"),
        ("unsigned long long f(uint8_t)", "STEELYARD_PUT(f(a0));"),
        ("double f(void);", "STEELYARD_PUT(f());"),
        ("bool f(int x)", "STEELYARD_PUT((_Bool)f(a0));"),
        ("_Bool f(int x)", "STEELYARD_PUT((_Bool)f(a0));"),
        ("bool *f(int n, size_t *length)", "STEELYARD_PUT_LIST(steelyard_result, steelyard_length);"),
        ("char *f(const char *name)", "STEELYARD_PUT(f(a0));"),
        ("bool f(bool x, char c, float y)", "STEELYARD_PUT((_Bool)f(a0, a1, a2));"),
        ("long f(const int values[], size_t n, int k)", "STEELYARD_PUT(f(a0, l0.count, a2));"),
        ("void f(int *values, int n)", "STEELYARD_PUT_LIST(a0, l0.count);"),
        ("void f(const int *values, int n)", 'steelyard_say("null");'),
        ("void f(const char *text, int n)", 'steelyard_say("null");'),
        ("void f(char *text, int n)", "STEELYARD_PUT(a0);"),
        ("void f(char *text, int *values, int n)", "STEELYARD_PUT_LIST(a1, l1.count);"),
        ("int *f(int n, size_t *length)", "STEELYARD_PUT_LIST(steelyard_result, steelyard_length);"),
        (
            "char **f(char **names, size_t n, size_t *length)",
            "STEELYARD_PUT_LIST(steelyard_result, steelyard_length);",
        ),
    ],
)
def test_a_signature_becomes_a_call(signature: str, call: str) -> None:
    assert c_call(signature).splitlines()[-1].strip() == call


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("", "is not the signature"),
        ("int add", "is not the signature"),
        ("int f(int (*g)(int))", "is not the signature"),
        ("struct point f(int)", "is not a supported type"),
        ("int f(FILE *file)", "is not a supported type"),
        ("int f(int *values)", "length"),
        ("int f(int *values, double x)", "length"),
        ("int *f(int n)", r"`size_t \*length`"),
    ],
)
def test_what_calls_cannot_have_is_refused(signature: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        c_call(signature)
