"""Foreign files turned into records, checked once at this edge."""
