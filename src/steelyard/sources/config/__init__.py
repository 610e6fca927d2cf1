"""Read steelyard.toml."""
