"""What a viewer asks of a run: pages of cases, attempts, single samples, searches, and SQL."""
