import logging

import pytest

from solution import RedactFilter, install


@pytest.fixture
def logger(request):
    logger = logging.getLogger(f"test.{request.node.name}")
    logger.setLevel(logging.DEBUG)
    yield logger
    logger.filters.clear()


@pytest.fixture
def redacted(logger, caplog):
    install(logger, ["password", "token"])

    def log(message, *args):
        logger.info(message, *args)
        return caplog.messages[-1]

    return log


@pytest.mark.parametrize(
    "message, expected",
    [
        ("login user=ann password=hunter2", "login user=ann password=***"),
        ("password=a token=b", "password=*** token=***"),
        ("Token=abc; next", "Token=***; next"),
        ("token=a,password=b,x=c", "token=***,password=***,x=c"),
        ('password="two words" ok', "password=*** ok"),
        ("nothing here", "nothing here"),
        ("mytoken=abc", "mytoken=abc"),
    ],
)
def test_messages(redacted, message, expected):
    assert redacted(message) == expected


def test_arguments(redacted):
    assert redacted("user=%s password=%s", "ann", "s3cret") == "user=ann password=***"
    assert redacted("token=%d of %d", 17, 3) == "token=*** of 3"


def test_percent_sign_survives(redacted):
    assert redacted("token=%s done 100%%", "x") == "token=*** done 100%"


def test_levels_are_kept(logger, caplog):
    install(logger, ["token"])
    logger.error("token=1")
    logger.debug("token=2")
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [("ERROR", "token=***"), ("DEBUG", "token=***")]


def test_install_once(logger):
    first = install(logger, ["token"])
    second = install(logger, ["pin"])
    assert second is first
    assert len([f for f in logger.filters if isinstance(f, RedactFilter)]) == 1


def test_install_extends(logger, caplog):
    install(logger, ["token"])
    install(logger, ["pin"])
    logger.info("pin=1234 token=x")
    assert "1234" not in caplog.text
    assert caplog.messages == ["pin=*** token=***"]
