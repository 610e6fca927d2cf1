"""What the tests of the providers share."""

from tests.fake_providers.fixtures import vendors

__all__ = ["vendors"]
