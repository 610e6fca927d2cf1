import unittest

from solution import JobQueue


def pop_all(queue):
    names = []
    while queue:
        names.append(queue.pop())
    return names


class JobQueueTest(unittest.TestCase):
    def setUp(self):
        self.queue = JobQueue()

    def push_all(self, *jobs):
        for job in jobs:
            self.queue.push(*job)

    def test_highest_priority_first(self):
        self.push_all(("low", 1), ("high", 9), ("mid", 5))
        self.assertEqual(pop_all(self.queue), ["high", "mid", "low"])

    def test_fifo_among_equals(self):
        self.push_all(("zeta",), ("alpha",), ("mike",))
        self.assertEqual(pop_all(self.queue), ["zeta", "alpha", "mike"])

    def test_push_again_changes_priority(self):
        self.push_all(("a", 1), ("b", 2))
        self.queue.push("a", 3)
        self.assertEqual(len(self.queue), 2)
        self.assertEqual(pop_all(self.queue), ["a", "b"])

    def test_lower_priority_again(self):
        self.push_all(("a", 5), ("b", 2), ("a", 1))
        self.assertEqual(pop_all(self.queue), ["b", "a"])

    def test_cancel(self):
        self.push_all(("a",), ("b",), ("c",))
        self.queue.cancel("b")
        self.assertNotIn("b", self.queue)
        self.assertEqual(pop_all(self.queue), ["a", "c"])
        with self.assertRaises(KeyError):
            self.queue.cancel("b")

    def test_empty(self):
        self.assertFalse(self.queue)
        self.assertRaises(IndexError, self.queue.pop)
        self.queue.push("x")
        self.assertTrue(self.queue)
        self.queue.cancel("x")
        with self.assertRaises(IndexError):
            self.queue.pop()

    def test_popped_job_can_come_back(self):
        self.queue.push("a", 1)
        self.assertEqual(self.queue.pop(), "a")
        self.queue.push("a", 2)
        self.assertIn("a", self.queue)
        self.assertEqual(len(self.queue), 1)
