"""Gate a pull request: the CI host's event, its comment, the verdict."""
