# --- prompt
# `logging_config(level)` returns a `dictConfig` for a logger `app` that does not propagate.
# --- right
def logging_config(level):
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "loggers": {"app": {"level": level.upper(), "propagate": False}},
    }
# --- wrong
def logging_config(level):
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "loggers": {"app": {"level": level, "propagate": False}},
    }
# --- tests
import logging
import logging.config

from solution import logging_config


def test_config():
    logging.config.dictConfig(logging_config("error"))
    logger = logging.getLogger("app")
    assert logger.level == logging.ERROR
    assert not logger.propagate
