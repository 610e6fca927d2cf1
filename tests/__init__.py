"""The tests; a package so that no other package named `tests` can stand in for it."""
