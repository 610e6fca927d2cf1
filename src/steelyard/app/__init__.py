"""The use cases: what the command line, the viewer and a notebook call."""
