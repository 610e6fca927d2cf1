from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Query
from pydantic import BaseModel, Field, field_validator

app = FastAPI()
_items: dict[int, "Item"] = {}


class Item(BaseModel):
    name: str = Field(min_length=1, max_length=40)
    price: float = Field(gt=0)
    tags: list[str] = []

    @field_validator("tags")
    @classmethod
    def unique(cls, tags):
        return list(dict.fromkeys(tags))


class StoredItem(Item):
    id: int


def get_store() -> dict[int, Item]:
    return _items


Store = Annotated[dict, Depends(get_store)]


def find(store, item_id):
    if item_id not in store:
        raise HTTPException(404, f"item {item_id} not found")
    return store[item_id]


@app.post("/items", status_code=201)
def create(item: Item, store: Store) -> StoredItem:
    item_id = max(store, default=0) + 1
    store[item_id] = item
    return StoredItem(id=item_id, **item.model_dump())


@app.get("/items/{item_id}")
def read(item_id: int, store: Store) -> StoredItem:
    return StoredItem(id=item_id, **find(store, item_id).model_dump())


@app.get("/items")
def search(
    store: Store,
    tag: str | None = None,
    max_price: float | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    offset: Annotated[int, Query(ge=0)] = 0,
):
    found = [
        StoredItem(id=item_id, **item.model_dump())
        for item_id, item in store.items()
        if (tag is None or tag in item.tags) and (max_price is None or item.price <= max_price)
    ]
    found.sort(key=lambda item: (item.price, item.name))
    return {"total": len(found), "items": found[offset : offset + limit]}


@app.delete("/items/{item_id}", status_code=204)
def delete(item_id: int, store: Store) -> None:
    find(store, item_id)
    del store[item_id]
