import pytest
from fastapi.testclient import TestClient

from solution import Item, app, get_store


@pytest.fixture
def store():
    return {}


@pytest.fixture
def client(store):
    app.dependency_overrides[get_store] = lambda: store
    with TestClient(app) as client:
        yield client
    app.dependency_overrides.clear()


@pytest.fixture
def stocked(client, store):
    store.update(
        {
            1: Item(name="pen", price=2.5, tags=["office"]),
            2: Item(name="desk", price=120, tags=["office", "wood"]),
            3: Item(name="chair", price=60, tags=["wood"]),
            4: Item(name="ink", price=2.5, tags=["office"]),
        }
    )
    return client


def names(response):
    assert response.status_code == 200, response.text
    return [item["name"] for item in response.json()["items"]]


def test_create_and_read(client, store):
    created = client.post("/items", json={"name": "cup", "price": 4, "tags": ["b", "a", "b"]})
    assert created.status_code == 201
    assert created.json() == {"id": 1, "name": "cup", "price": 4.0, "tags": ["b", "a"]}
    assert client.get("/items/1").json() == created.json()
    assert list(store) == [1]


@pytest.mark.parametrize(
    "body, field",
    [
        ({"name": "", "price": 1}, "name"),
        ({"name": "x" * 41, "price": 1}, "name"),
        ({"name": "x", "price": 0}, "price"),
        ({"name": "x"}, "price"),
        ({"name": "x", "price": 1, "tags": "red"}, "tags"),
    ],
)
def test_validation(client, body, field):
    response = client.post("/items", json=body)
    assert response.status_code == 422
    assert [error["loc"][-1] for error in response.json()["detail"]] == [field]


def test_not_found(client):
    response = client.get("/items/7")
    assert response.status_code == 404
    assert response.json() == {"detail": "item 7 not found"}


def test_sorted(stocked):
    assert names(stocked.get("/items")) == ["ink", "pen", "chair", "desk"]


@pytest.mark.parametrize(
    "query, expected, total",
    [
        ({"tag": "office"}, ["ink", "pen", "desk"], 3),
        ({"max_price": 60}, ["ink", "pen", "chair"], 3),
        ({"max_price": 0}, [], 0),
        ({"tag": "wood", "max_price": 100}, ["chair"], 1),
        ({"limit": 2}, ["ink", "pen"], 4),
        ({"limit": 2, "offset": 3}, ["desk"], 4),
    ],
)
def test_search(stocked, query, expected, total):
    response = stocked.get("/items", params=query)
    assert names(response) == expected
    assert response.json()["total"] == total


@pytest.mark.parametrize("limit", [0, 101])
def test_limit_is_bounded(client, limit):
    assert client.get(f"/items?limit={limit}").status_code == 422


def test_delete(stocked, store):
    assert stocked.delete("/items/2").status_code == 204
    assert 2 not in store
    assert stocked.delete("/items/2").status_code == 404
