"""Call providers: budget, retries, recorded answers."""
