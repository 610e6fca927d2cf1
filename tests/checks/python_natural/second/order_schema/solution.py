from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, computed_field, field_validator, model_validator
from pydantic.alias_generators import to_camel


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)


class Address(Model):
    street: str
    city: str
    zip: Annotated[str, Field(pattern=r"^[0-9]{5}$")]


class Line(Model):
    sku: str
    quantity: int = Field(ge=1)
    unit_price: Decimal = Field(ge=0, decimal_places=2)


class Order(Model):
    id: int
    customer_email: str
    lines: list[Line] = Field(min_length=1)
    shipping: Address
    billing: Address | None = None
    status: Literal["draft", "paid", "shipped"] = "draft"
    coupon: str | None = None

    @field_validator("customer_email")
    @classmethod
    def check_email(cls, value):
        value = value.strip().lower()
        parts = value.split("@")
        if len(parts) != 2 or not all(parts):
            raise ValueError("not an e-mail address")
        return value

    @field_validator("lines")
    @classmethod
    def check_skus(cls, lines):
        seen = set()
        for line in lines:
            if line.sku in seen:
                raise ValueError(f"duplicate sku: {line.sku}")
            seen.add(line.sku)
        return lines

    @computed_field
    @property
    def total(self) -> Decimal:
        return sum((line.quantity * line.unit_price for line in self.lines), Decimal("0"))

    @model_validator(mode="after")
    def check_order(self):
        if self.billing is None:
            self.billing = self.shipping
        if self.status != "draft" and self.total == 0:
            raise ValueError("a paid order must have a total")
        return self
