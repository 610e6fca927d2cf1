"""A small inventory."""


class OutOfStock(Exception):
    pass


class Inventory:
    def __init__(self):
        self._stock = {}

    def add(self, sku, quantity):
        if quantity < 1:
            raise ValueError("quantity must be positive")
        self._stock[sku] = self._stock.get(sku, 0) + quantity

    def remove(self, sku, quantity):
        remaining = self.quantity(sku) - quantity
        if remaining < 0:
            raise OutOfStock(sku)
        if remaining == 0:
            self._stock.pop(sku, None)
        else:
            self._stock[sku] = remaining

    def quantity(self, sku):
        return self._stock.get(sku, 0)

    def skus(self):
        return sorted(self._stock)

    def low_stock(self, threshold):
        return sorted(sku for sku, quantity in self._stock.items() if quantity <= threshold)
