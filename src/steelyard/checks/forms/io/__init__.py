"""Checking whole programs: standard input goes in, what is printed comes out, comparison happens outside."""
