"""What runs inside the sandbox: the grader with the tests, and apart from it the answer.

Two processes and a pair of pipes between them, over which only plain values go. Standard library only.
"""
