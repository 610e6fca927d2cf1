# --- prompt
# `write_config(path, level)` writes an INI file for `logging.config.fileConfig` with the root at that level.
# --- right
TEMPLATE = """\
[loggers]
keys=root
[handlers]
keys=
[formatters]
keys=
[logger_root]
level={level}
handlers=
"""


def write_config(path, level):
    with open(path, "w") as handle:
        handle.write(TEMPLATE.format(level=level))
# --- wrong
TEMPLATE = """\
[loggers]
keys=root
[handlers]
keys=
[formatters]
keys=
[logger_root]
level={level}
handlers=
"""


def write_config(path, level):
    with open(path, "w") as handle:
        handle.write(TEMPLATE.format(level="INFO"))
# --- tests
import logging
from logging.config import fileConfig

import pytest

from solution import write_config


@pytest.fixture
def root():
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    yield root
    root.setLevel(level)
    root.handlers[:] = handlers


def test_level(root, tmp_path):
    write_config(tmp_path / "log.ini", "ERROR")
    fileConfig(tmp_path / "log.ini", disable_existing_loggers=False)
    assert root.level == logging.ERROR
