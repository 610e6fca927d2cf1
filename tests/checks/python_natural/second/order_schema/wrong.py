from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, computed_field, field_validator
from pydantic.alias_generators import to_camel


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel)


class Address(Model):
    street: str
    city: str
    zip: str = Field(pattern=r"\d{5}")


class Line(Model):
    sku: str
    quantity: int = Field(gt=1)
    unit_price: Decimal = Field(ge=0)


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
        if "@" not in value:
            raise ValueError("not an e-mail address")
        return value.lower()

    @computed_field
    @property
    def total(self) -> Decimal:
        return sum(line.quantity * line.unit_price for line in self.lines)
