"""Print the words of each page in docs/ and their sums: python -m scripts.count_pages."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
WORD = re.compile(r"\w")


def words(text: str) -> int:
    """Count tokens with a letter or a digit: bars of tables and rules are no words.

    >>> words("| pass | 0 |")
    2
    """
    return sum(WORD.search(token) is not None for token in text.split())


def main() -> None:
    """Print one line a page, then the sums."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}
    for path, text in texts.items():
        print(f"{words(text):7,}  {path.relative_to(DOCS)}")
    tokens = sum(len(text.split()) for text in texts.values())
    print(f"{len(texts)} pages, {sum(map(words, texts.values())):,} words ({tokens:,} tokens by `wc -w`)")


if __name__ == "__main__":
    main()
