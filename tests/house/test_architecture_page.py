"""ARCHITECTURE.md shows the package as it is."""

from tests.house.tree import drawn_tree, written_tree


def test_the_tree_on_the_architecture_page_is_the_tree_of_the_package() -> None:
    assert written_tree() == drawn_tree(), "run `make tree` and read the difference"


def test_every_line_of_the_tree_says_what_the_file_is_for() -> None:
    lines = drawn_tree().splitlines()

    # A folder of data files has nobody to speak for it; its files do.
    silent = [line for line in lines if len(line.split()) == 1 and not line.endswith("/")]

    assert not silent, "give each of these files a first sentence, then run `make tree`"
