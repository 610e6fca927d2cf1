"""How an answer is graded: by tests, by calls, by input and output, as text, by judges."""
