# --- prompt
# `connect(attempts)` logs `attempt N` (info) for each attempt and `giving up` (error) at the end.
# --- right
import logging

log = logging.getLogger(__name__)


def connect(attempts):
    for number in range(1, attempts + 1):
        log.info("attempt %d", number)
    log.error("giving up")
# --- wrong
import logging

log = logging.getLogger(__name__)


def connect(attempts):
    for number in range(attempts):
        log.info("attempt %d", number)
    log.error("giving up")
# --- tests
import logging

from solution import connect


def test_log(caplog):
    caplog.set_level(logging.INFO)
    connect(2)
    assert caplog.messages == ["attempt 1", "attempt 2", "giving up"]
    assert caplog.record_tuples[-1][1] == logging.ERROR
