"""Grade answers by calls of one function; results are compared outside the sandbox."""
