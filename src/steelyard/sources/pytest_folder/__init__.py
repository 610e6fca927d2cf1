"""Make an eval set from a folder of pytest tests."""
