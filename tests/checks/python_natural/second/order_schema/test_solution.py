import json
from decimal import Decimal

import pytest
from pydantic import ValidationError

from solution import Address, Line, Order

ADDRESS = {"street": "Main St 1", "city": "Springfield", "zip": "01234"}


def order(**changes):
    data = {
        "id": 1,
        "customerEmail": " Ann@Example.COM ",
        "lines": [
            {"sku": "A-1", "quantity": 2, "unitPrice": "9.99"},
            {"sku": "B-2", "quantity": 1, "unitPrice": "0.02"},
        ],
        "shipping": ADDRESS,
    }
    return Order.model_validate(data | changes)


def errors(**changes):
    with pytest.raises(ValidationError) as info:
        order(**changes)
    return [(error["loc"], error["msg"]) for error in info.value.errors()]


def test_valid():
    result = order()
    assert result.customer_email == "ann@example.com"
    assert result.total == Decimal("20.00")
    assert result.status == "draft"
    assert result.lines[0] == Line(sku="A-1", quantity=2, unit_price=Decimal("9.99"))


def test_billing_defaults_to_shipping():
    assert order().billing == Address(**ADDRESS)
    other = ADDRESS | {"city": "Shelbyville"}
    assert order(billing=other).billing.city == "Shelbyville"


def test_json_is_camel_case():
    data = json.loads(order().model_dump_json(by_alias=True))
    assert data["customerEmail"] == "ann@example.com"
    assert data["lines"][0]["unitPrice"] == "9.99"
    assert data["total"] == "20.00"
    assert "customer_email" not in data


def test_round_trip():
    first = order(status="paid", coupon="X")
    again = Order.model_validate(first.model_dump(by_alias=True, exclude={"total"}))
    assert again == first


@pytest.mark.parametrize("email", ["ann", "@x.de", "ann@", "a@b@c", ""])
def test_email(email):
    assert [loc for loc, _ in errors(customerEmail=email)] == [("customerEmail",)]


@pytest.mark.parametrize("code", ["1234", "123456", "12a45", ""])
def test_zip(code):
    assert errors(shipping=ADDRESS | {"zip": code})[0][0] == ("shipping", "zip")


@pytest.mark.parametrize(
    "line, location",
    [
        ({"sku": "A", "quantity": 0, "unitPrice": 1}, "quantity"),
        ({"sku": "A", "quantity": 1, "unitPrice": "1.005"}, "unitPrice"),
        ({"sku": "A", "quantity": 1, "unitPrice": -1}, "unitPrice"),
        ({"sku": "A", "quantity": 1, "unitPrice": 1, "note": "?"}, "note"),
    ],
)
def test_lines(line, location):
    ((loc, _),) = errors(lines=[line])
    assert loc == ("lines", 0, location)


def test_no_lines():
    assert errors(lines=[])[0][0] == ("lines",)


def test_duplicate_sku():
    line = {"sku": "A", "quantity": 1, "unitPrice": 1}
    ((_, message),) = errors(lines=[line, line])
    assert "duplicate sku: A" in message


def test_paid_without_total():
    free = [{"sku": "A", "quantity": 1, "unitPrice": 0}]
    assert order(lines=free).total == 0
    ((_, message),) = errors(lines=free, status="paid")
    assert message.endswith("a paid order must have a total")


def test_unknown_status():
    assert errors(status="lost")[0][0] == ("status",)
