"""The cases are data: their tests run in a sandbox or by prove.py, not with the project's tests."""

collect_ignore = ["first", "second", "formerly_refused"]
