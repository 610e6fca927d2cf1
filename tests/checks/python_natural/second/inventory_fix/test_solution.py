import unittest

from inventory import Inventory, OutOfStock


class InventoryTests(unittest.TestCase):
    def setUp(self):
        self.inventory = Inventory()
        self.inventory.add("apple", 10)
        self.inventory.add("pear", 2)

    def test_add_accumulates(self):
        self.inventory.add("pear", 3)
        self.assertEqual(self.inventory.quantity("pear"), 5)

    def test_add_rejects_zero(self):
        with self.assertRaises(ValueError):
            self.inventory.add("fig", 0)
        self.assertNotIn("fig", self.inventory.skus())

    def test_remove(self):
        self.inventory.remove("apple", 4)
        self.assertEqual(self.inventory.quantity("apple"), 6)

    def test_remove_last_unit_drops_sku(self):
        self.inventory.remove("pear", 2)
        self.assertEqual(self.inventory.skus(), ["apple"])
        self.assertEqual(self.inventory.quantity("pear"), 0)

    def test_remove_too_many_changes_nothing(self):
        with self.assertRaises(OutOfStock):
            self.inventory.remove("pear", 3)
        self.assertEqual(self.inventory.quantity("pear"), 2)

    def test_remove_unknown(self):
        self.assertRaises(OutOfStock, self.inventory.remove, "plum", 1)

    def test_low_stock(self):
        self.inventory.add("fig", 1)
        self.assertListEqual(self.inventory.low_stock(2), ["fig", "pear"])
        self.assertListEqual(self.inventory.low_stock(0), [])


if __name__ == "__main__":
    unittest.main()
