"""Batch interfaces of vendors: many requests in one file, answered within a day, at half the price."""
