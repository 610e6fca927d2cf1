import os
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def pushd(path):
    previous = Path.cwd()
    os.chdir(path)
    try:
        yield Path.cwd().resolve()
    finally:
        os.chdir(previous)


@contextmanager
def environ(**variables):
    saved = {name: os.environ.get(name) for name in variables}

    def apply(values):
        for name, value in values.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    apply(variables)
    try:
        yield
    finally:
        apply(saved)
