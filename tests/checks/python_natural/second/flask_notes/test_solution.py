import pytest

from app import create_app


@pytest.fixture()
def app():
    return create_app({"TESTING": True})


@pytest.fixture()
def client(app):
    return app.test_client()


@pytest.fixture()
def milk(client):
    return client.post("/notes", json={"text": "buy milk"}).get_json()


def test_create(client):
    response = client.post("/notes", json={"text": "buy milk"})
    assert response.status_code == 201
    assert response.json == {"id": 1, "text": "buy milk", "done": False}
    assert response.headers["Location"].endswith("/notes/1")


@pytest.mark.parametrize("body", [{}, {"text": ""}, {"text": "   "}, {"text": None}])
def test_text_is_required(client, body):
    response = client.post("/notes", json=body)
    assert (response.status_code, response.json) == (400, {"error": "text is required"})
    assert client.get("/notes").json == []


def test_get(client, milk):
    assert client.get(f"/notes/{milk['id']}").json == milk


def test_stores_are_separate(milk):
    assert create_app().test_client().get("/notes").json == []


def test_filter(client, milk):
    other = client.post("/notes", json={"text": "walk"}).json
    client.patch(f"/notes/{other['id']}", json={"done": True})
    assert [n["text"] for n in client.get("/notes?done=true").json] == ["walk"]
    assert [n["text"] for n in client.get("/notes", query_string={"done": "false"}).json] == ["buy milk"]
    assert len(client.get("/notes").json) == 2


def test_patch(client, milk):
    changed = client.patch("/notes/1", json={"text": "buy oat milk"})
    assert changed.json == {**milk, "text": "buy oat milk"}
    assert client.get("/notes/1").json == changed.json


def test_patch_cannot_blank_text(client, milk):
    assert client.patch("/notes/1", json={"text": " "}).status_code == 400
    assert client.get("/notes/1").json["text"] == "buy milk"


def test_delete(client, milk):
    response = client.delete("/notes/1")
    assert response.status_code == 204
    assert response.data == b""
    assert client.get("/notes/1").status_code == 404


@pytest.mark.parametrize("method", ["get", "patch", "delete"])
def test_unknown(client, method):
    options = {"json": {"done": True}} if method == "patch" else {}
    response = getattr(client, method)("/notes/77", **options)
    assert response.status_code == 404
    assert response.json == {"error": "not found"}


class TestApiKey:
    @pytest.fixture()
    def app(self):
        return create_app({"TESTING": True, "API_KEY": "k3y"})

    def test_without(self, client):
        assert client.get("/notes").status_code == 401
        assert client.get("/notes", headers={"X-Api-Key": "wrong"}).status_code == 401

    def test_with(self, client):
        assert client.get("/notes", headers={"X-Api-Key": "k3y"}).json == []
