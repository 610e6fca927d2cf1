"""What the tests of the providers share."""

from tests.vendors.fixtures import vendors

__all__ = ["vendors"]
