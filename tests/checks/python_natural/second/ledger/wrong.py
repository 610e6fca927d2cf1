class Ledger:
    def __init__(self, connection):
        self.connection = connection
        connection.execute(
            "CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, account TEXT, amount_cents INTEGER, memo TEXT)"
        )

    def post(self, account, amount_cents, memo=""):
        cursor = self.connection.execute(
            "INSERT INTO entries (account, amount_cents, memo) VALUES (?, ?, ?)", (account, amount_cents, memo)
        )
        self.connection.commit()
        return cursor.lastrowid

    def balance(self, account):
        row = self.connection.execute("SELECT SUM(amount_cents) FROM entries WHERE account = ?", (account,)).fetchone()
        return row[0]

    def transfer(self, source, target, amount_cents):
        self.post(source, -amount_cents, f"to {target}")
        if self.balance(source) < 0:
            raise ValueError("insufficient funds")
        self.post(target, amount_cents, f"from {source}")

    def statement(self, account):
        rows, total = [], 0
        for id_, amount in self.connection.execute(
            "SELECT id, amount_cents FROM entries WHERE account = ?", (account,)
        ):
            total += amount
            rows.append((id_, amount, total))
        return rows

    def accounts(self):
        return dict(self.connection.execute("SELECT account, SUM(amount_cents) FROM entries GROUP BY account"))
