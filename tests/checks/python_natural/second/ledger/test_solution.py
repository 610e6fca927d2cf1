import sqlite3
from contextlib import closing

import pytest

from solution import Ledger


@pytest.fixture
def connection():
    with closing(sqlite3.connect(":memory:")) as connection:
        yield connection


@pytest.fixture
def ledger(connection):
    ledger = Ledger(connection)
    ledger.post("cash", 10_000, "opening")
    ledger.post("rent", 0)
    return ledger


def row_count(connection):
    return connection.execute("SELECT count(*) FROM entries").fetchone()[0]


def test_post_returns_growing_ids(ledger):
    first = ledger.post("cash", 1)
    second = ledger.post("cash", 2)
    assert second == first + 1


def test_balance(ledger):
    ledger.post("cash", -2_550, "shoes")
    assert ledger.balance("cash") == 7450


def test_unknown_account(ledger):
    assert ledger.balance("nobody") == 0
    assert ledger.statement("nobody") == []


def test_transfer(ledger, connection):
    before = row_count(connection)
    ledger.transfer("cash", "savings", 4_000)
    assert (ledger.balance("cash"), ledger.balance("savings")) == (6_000, 4_000)
    assert row_count(connection) == before + 2


def test_transfer_of_everything(ledger):
    ledger.transfer("cash", "savings", 10_000)
    assert ledger.accounts() == {"savings": 10_000}


def test_failed_transfer_writes_nothing(ledger, connection):
    before = list(connection.iterdump())
    with pytest.raises(ValueError, match="^insufficient funds$"):
        ledger.transfer("cash", "savings", 10_001)
    assert list(connection.iterdump()) == before
    assert not connection.in_transaction


def test_statement(ledger):
    ledger.post("cash", -500)
    ledger.post("other", 77)
    ledger.post("cash", 250)
    assert ledger.statement("cash") == [(1, 10000, 10000), (3, -500, 9500), (5, 250, 9750)]


def test_persistence(tmp_path):
    path = tmp_path / "ledger.db"
    with closing(sqlite3.connect(path)) as db:
        Ledger(db).post("cash", 5)
    with closing(sqlite3.connect(path)) as db:
        assert Ledger(db).balance("cash") == 5
