"""Read TOML files: line numbers, problems, texts in files of their own."""
