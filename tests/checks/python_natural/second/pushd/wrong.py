import os
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def pushd(path):
    previous = os.getcwd()
    os.chdir(path)
    yield Path(path).resolve()
    os.chdir(previous)


@contextmanager
def environ(**variables):
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    yield
    for name in variables:
        os.environ.pop(name, None)
