"""Checking answers by calls of one function: arguments go in, results come out and are compared outside."""
