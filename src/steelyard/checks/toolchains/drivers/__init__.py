"""Drivers: how functions of a language are called from outside their process."""
