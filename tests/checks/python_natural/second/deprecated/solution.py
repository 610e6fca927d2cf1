import functools
import warnings


def deprecated(message, *, since=None):
    def decorate(function):
        when = f" since {since}" if since else ""
        text = f"{function.__name__} is deprecated{when}: {message}"

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            warnings.warn(text, DeprecationWarning, stacklevel=2)
            return function(*args, **kwargs)

        return wrapper

    return decorate


def renamed_argument(old, new):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            if old in kwargs:
                if new in kwargs:
                    raise TypeError(f"{function.__name__}() got both {old!r} and {new!r}")
                warnings.warn(f"{old!r} was renamed to {new!r}", DeprecationWarning, stacklevel=2)
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return wrapper

    return decorate
