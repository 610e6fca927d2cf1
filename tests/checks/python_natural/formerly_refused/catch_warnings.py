# --- prompt
# `old_sum(numbers)` works and warns with `FutureWarning` once for each call.
# --- right
import warnings


def old_sum(numbers):
    warnings.warn("use sum", FutureWarning, stacklevel=2)
    return sum(numbers)
# --- wrong
import warnings


def old_sum(numbers):
    warnings.warn("use sum", UserWarning, stacklevel=2)
    return sum(numbers)
# --- tests
import warnings

from solution import old_sum


def test_warning():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert old_sum([1, 2]) == 3
    assert [w.category for w in caught] == [FutureWarning]
    assert str(caught[0].message) == "use sum"
