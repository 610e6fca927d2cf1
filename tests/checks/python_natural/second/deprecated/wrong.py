import warnings


def deprecated(message, *, since=None):
    def decorate(function):
        warnings.warn(f"{function.__name__} is deprecated: {message}", DeprecationWarning)

        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)

        wrapper.__name__ = function.__name__
        return wrapper

    return decorate


def renamed_argument(old, new):
    def decorate(function):
        def wrapper(*args, **kwargs):
            if old in kwargs:
                warnings.warn(f"{old!r} was renamed to {new!r}", DeprecationWarning)
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return wrapper

    return decorate
