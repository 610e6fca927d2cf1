"""The viewer's queries of a run: pages of cases, attempts, samples, searches and SQL."""
