import pytest
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from solution import Base


@pytest.fixture(scope="session")
def engine():
    engine = create_engine("sqlite://")
    yield engine
    engine.dispose()


@pytest.fixture
def session(engine):
    """A session on empty tables."""
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        yield session
    Base.metadata.drop_all(engine)
