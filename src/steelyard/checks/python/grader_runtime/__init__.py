"""What runs inside the sandbox: the grader with the tests, and apart from it the answer.

Two processes and a pair of pipes between them. Standard library only; seen by nobody outside but by its path.
"""
