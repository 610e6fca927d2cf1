import sqlite3


class Ledger:
    def __init__(self, connection: sqlite3.Connection):
        self.connection = connection
        with connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS entries ("
                "id INTEGER PRIMARY KEY, account TEXT NOT NULL, amount_cents INTEGER NOT NULL, memo TEXT NOT NULL)"
            )

    def _insert(self, account, amount_cents, memo):
        cursor = self.connection.execute(
            "INSERT INTO entries (account, amount_cents, memo) VALUES (?, ?, ?)", (account, amount_cents, memo)
        )
        return cursor.lastrowid

    def post(self, account, amount_cents, memo=""):
        with self.connection:
            return self._insert(account, amount_cents, memo)

    def balance(self, account):
        query = "SELECT COALESCE(SUM(amount_cents), 0) FROM entries WHERE account = ?"
        return self.connection.execute(query, (account,)).fetchone()[0]

    def transfer(self, source, target, amount_cents):
        with self.connection:
            self._insert(source, -amount_cents, f"to {target}")
            self._insert(target, amount_cents, f"from {source}")
            if self.balance(source) < 0:
                raise ValueError("insufficient funds")

    def statement(self, account):
        query = "SELECT id, amount_cents, SUM(amount_cents) OVER (ORDER BY id) FROM entries WHERE account = ? ORDER BY id"
        return [tuple(row) for row in self.connection.execute(query, (account,))]

    def accounts(self):
        query = "SELECT account, SUM(amount_cents) AS total FROM entries GROUP BY account HAVING total <> 0"
        return dict(self.connection.execute(query))
