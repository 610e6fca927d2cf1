from fastapi import Depends, FastAPI, HTTPException
from pydantic import BaseModel, Field

app = FastAPI()
_items = {}


class Item(BaseModel):
    name: str = Field(min_length=1, max_length=40)
    price: float = Field(ge=0)
    tags: list[str] = []


def get_store():
    return _items


@app.post("/items", status_code=201)
def create(item: Item, store=Depends(get_store)):
    item_id = len(store) + 1
    store[item_id] = item
    return {"id": item_id, **item.model_dump()}


@app.get("/items/{item_id}")
def read(item_id: int, store=Depends(get_store)):
    if item_id not in store:
        raise HTTPException(404, "item not found")
    return {"id": item_id, **store[item_id].model_dump()}


@app.get("/items")
def search(
    tag: str = None, max_price: float = None, limit: int = 10, offset: int = 0, store=Depends(get_store)
):
    found = [
        {"id": item_id, **item.model_dump()}
        for item_id, item in store.items()
        if (not tag or tag in item.tags) and (not max_price or item.price < max_price)
    ]
    page = sorted(found, key=lambda item: item["price"])[offset:limit]
    return {"total": len(page), "items": page}


@app.delete("/items/{item_id}", status_code=204)
def delete(item_id: int, store=Depends(get_store)):
    store.pop(item_id, None)
