"""Check stored answers again."""
