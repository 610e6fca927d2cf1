"""The command line: parse, call, show, exit code."""
