import pytest

from solution import TokenBucket


class FakeClock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now

    def advance(self, seconds):
        self.now += seconds


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def make_bucket(clock):
    def make(rate=2, capacity=4):
        return TokenBucket(rate, capacity, clock=clock)

    return make


def drain(bucket):
    count = 0
    while bucket.try_acquire():
        count += 1
    return count


def test_starts_full(make_bucket):
    assert drain(make_bucket()) == 4


def test_refills(make_bucket, clock):
    bucket = make_bucket()
    drain(bucket)
    clock.advance(1.0)
    assert drain(bucket) == 2


def test_never_exceeds_capacity(make_bucket, clock):
    bucket = make_bucket()
    clock.advance(3600)
    assert drain(bucket) == 4


def test_all_or_nothing(make_bucket):
    bucket = make_bucket()
    assert bucket.try_acquire(3)
    assert not bucket.try_acquire(2)
    assert bucket.try_acquire(1)


def test_fractions_add_up(make_bucket, clock):
    bucket = make_bucket(rate=1)
    drain(bucket)
    clock.advance(0.5)
    assert bucket.try_acquire() is False
    clock.advance(0.5)
    assert bucket.try_acquire() is True


def test_wait_time(make_bucket, clock):
    bucket = make_bucket()
    assert bucket.wait_time() == 0.0
    drain(bucket)
    assert bucket.wait_time() == pytest.approx(0.5)
    assert bucket.wait_time(4) == pytest.approx(2.0)
    clock.advance(bucket.wait_time(4))
    assert bucket.try_acquire(4)


def test_more_than_capacity(make_bucket):
    bucket = make_bucket()
    with pytest.raises(ValueError):
        bucket.try_acquire(5)
    with pytest.raises(ValueError):
        bucket.wait_time(5)


def test_real_clock_by_default():
    assert TokenBucket(1, 1).try_acquire()
