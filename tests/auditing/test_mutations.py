"""A program is broken in one place at a time."""

from steelyard.auditing.mutations import mutant, places

SOURCE = '''
def grade(points, most):
    """Return a grade."""
    if points < 50 and most:
        return divmod(points, 10)
    points += 1
    return points
'''


def made() -> set[str]:
    return {mutant(SOURCE, *place).source for place in places(SOURCE)}


def test_every_kind_of_change_is_made() -> None:
    texts = made()

    for part in (
        "if points <= 50 and most",
        "if points > 50 and most",
        "if points < 51 and most",
        "if points < 49 and most",
        "if points < 50 or most",
        "if not (points < 50 and most)",
        "divmod(10, points)",
        "points -= 1",
        "return None",
        "return [points]",
        "return lambda: points",
    ):
        assert any(part in text for text in texts), part
    assert "def grade(points, most):\n    pass\n" in texts
    assert any("points += 1" not in text and "if points < 50 and most" in text for text in texts)


def test_mutants_are_python_and_differ_from_the_program() -> None:
    texts = made()

    for text in texts:
        compile(text, "mutant", "exec")
    assert len(texts) == len(places(SOURCE)) > 20
