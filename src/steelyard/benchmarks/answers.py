"""Write what the cases of several benchmarks have in common: answers as a model would give them."""

PYTHON_EXTRACTION = (
    "Steelyard's own: the Python code block of the answer, or the whole answer if it is code alone"
)


def fenced(code: str, language: str = "python") -> str:
    r"""Return code as an answer; the fence is longer than any in the code.

    >>> fenced("x = 1")
    '```python\nx = 1\n```\n'
    """
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{language}\n{code.rstrip()}\n{fence}\n"
