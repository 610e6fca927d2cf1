"""The queue is bounded, refuses at once what would be late, and stops when checks keep failing."""

import pytest

from steelyard.service.admission import COOL_DOWN_S, WINDOW, Admission, Reason, Refused


def reason_of(
    admission: Admission, *, queued: int = 0, deadline: float = 60.0, now: float = 0.0
) -> Reason | None:
    try:
        admission.require(queued=queued, deadline=deadline, now=now)
    except Refused as refused:
        return refused.reason
    return None


def test_a_full_queue_refuses_and_names_a_time() -> None:
    admission = Admission(queue_limit=10, workers=2)

    assert reason_of(admission, queued=9) is None
    assert reason_of(admission, queued=10) is Reason.QUEUE_FULL


def test_a_check_that_would_wait_past_its_deadline_is_refused_at_once() -> None:
    admission = Admission(queue_limit=1_000, workers=2)
    for _ in range(200):
        admission.add_duration(1.0)

    assert reason_of(admission, queued=10, deadline=4.0) is Reason.TOO_LATE
    assert reason_of(admission, queued=10, deadline=6.0) is None


def errors(admission: Admission, count: int, *, now: float = 0.0) -> None:
    for number in range(WINDOW):
        admission.breaker.add(is_error=number < count, now=now)


def test_the_breaker_opens_above_a_fifth_of_the_last_200_checks() -> None:
    tolerant, open_ = Admission(queue_limit=9, workers=1), Admission(queue_limit=9, workers=1)
    errors(tolerant, 40)
    errors(open_, 41)

    assert reason_of(tolerant) is None
    assert reason_of(open_) is Reason.BREAKER_OPEN


def test_an_open_breaker_lets_one_check_through_after_a_pause_and_closes_with_its_success() -> None:
    admission = Admission(queue_limit=9, workers=1)
    errors(admission, 100)
    later = COOL_DOWN_S + 1

    assert reason_of(admission, now=later) is None
    assert reason_of(admission, now=later) is Reason.BREAKER_OPEN
    admission.breaker.add(is_error=False, now=later)
    assert reason_of(admission, now=later) is None


def test_refusals_have_the_status_that_clients_expect() -> None:
    assert Refused(Reason.QUEUE_FULL, retry_after_s=0).http_status == 429
    assert Refused(Reason.BREAKER_OPEN, retry_after_s=0).http_status == 503
    with pytest.raises(Refused) as refused:
        Admission(queue_limit=1, workers=1, is_draining=True).require(queued=0, deadline=9.0, now=0.0)
    assert refused.value.retry_after_s >= 1
