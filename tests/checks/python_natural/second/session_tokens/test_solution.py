from datetime import timedelta

import pytest
from freezegun import freeze_time

from solution import SessionStore


@pytest.fixture
def clock():
    with freeze_time("2026-05-01 08:00:00") as frozen:
        yield frozen


@pytest.fixture
def store(clock):
    return SessionStore()


def test_fresh(store):
    token = store.create("ann")
    assert store.get(token) == "ann"
    assert store.get("made-up") is None


def test_tokens_differ_and_are_long(store):
    tokens = {store.create("ann") for _ in range(50)}
    assert len(tokens) == 50
    assert all(len(token) >= 32 for token in tokens)


@pytest.mark.parametrize("minutes, alive", [(29, True), (30, False), (31, False)])
def test_idle_limit(store, clock, minutes, alive):
    token = store.create("ann")
    clock.tick(timedelta(minutes=minutes))
    assert (store.get(token) is not None) == alive


def test_use_renews(store, clock):
    token = store.create("ann")
    for _ in range(5):
        clock.tick(timedelta(minutes=20))
        assert store.get(token) == "ann"


def test_max_age(store, clock):
    token = store.create("ann")
    for _ in range(23):
        clock.tick(timedelta(minutes=20))
        assert store.get(token) == "ann"
    clock.tick(timedelta(minutes=20))
    assert store.get(token) is None


def test_purge(store, clock):
    store.create("old")
    clock.move_to("2026-05-01 08:20:00")
    kept = store.create("new")
    clock.move_to("2026-05-01 08:30:00")
    assert len(store) == 2
    assert store.purge() == 1
    assert len(store) == 1
    assert store.get(kept) == "new"
    assert store.purge() == 0


@freeze_time("2026-05-01")
def test_own_limits():
    store = SessionStore(lifetime=timedelta(0))
    assert store.get(store.create("ann")) is None
