"""Format reference solutions as model answers."""

PYTHON_EXTRACTION = (
    "Steelyard's own: the Python code block of the answer, or the whole answer if it is code alone"
)


def fenced(code: str, language: str = "python") -> str:
    r"""Wrap code in a Markdown fence longer than any fence in the code.

    >>> fenced("x = 1")
    '```python\nx = 1\n```\n'
    """
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{language}\n{code.rstrip()}\n{fence}\n"
