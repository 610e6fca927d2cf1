"""Grade programs by standard input and output; output is compared outside the sandbox."""
