import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from solution import find_duplicates, replace_with_links

FILES = {
    "z.txt": b"same",
    "a/b/copy.txt": b"same",
    "a/.hidden": b"same",
    "other.txt": b"diff",
    "big1.bin": b"x" * 5000,
    "a/big2.bin": b"x" * 5000,
    "empty1": b"",
    "empty2": b"",
    "unique-size": b"123456789",
}


class DuplicatesTest(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="dups"))
        self.addCleanup(shutil.rmtree, self.root)
        for name, content in FILES.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def names(self, groups):
        return [[p.relative_to(self.root).as_posix() for p in group] for group in groups]

    def test_groups(self):
        self.assertEqual(
            self.names(find_duplicates(self.root)),
            [["a/.hidden", "a/b/copy.txt", "z.txt"], ["a/big2.bin", "big1.bin"]],
        )

    def test_string_root(self):
        self.assertEqual(len(find_duplicates(str(self.root))), 2)

    def test_symlinks_are_ignored(self):
        (self.root / "link").symlink_to(self.root / "other.txt")
        self.assertNotIn("link", sum(self.names(find_duplicates(self.root)), []))

    def test_unique_sizes_are_not_read(self):
        seen = []
        original = Path.open

        def spy(path, *args, **kwargs):
            seen.append(path.name)
            return original(path, *args, **kwargs)

        with mock.patch.object(Path, "open", spy):
            find_duplicates(self.root)
        self.assertNotIn("unique-size", seen)

    def test_empty_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(find_duplicates(folder), [])

    def test_replace(self):
        group = find_duplicates(self.root)[0]
        self.assertEqual(replace_with_links(group), 8)
        inodes = {path.stat().st_ino for path in group}
        self.assertEqual(len(inodes), 1)
        self.assertFalse(any(path.is_symlink() for path in group))
        self.assertTrue(all(path.read_bytes() == b"same" for path in group))
