import re

import jinja2
import pytest

from solution import money, render_invoice


def rows(html):
    return [
        (css, re.findall(r"<td[^>]*>(.*?)</td>", body))
        for css, body in re.findall(r'<tr class="(\w+)">(.*?)</tr>', html, re.S)
    ]


@pytest.fixture
def invoice():
    return {
        "number": "2026-007",
        "customer": "Smith & Sons <Ltd>",
        "lines": [
            {"text": "Desk", "quantity": 2, "price": 600.25},
            {"text": "Chair", "quantity": 1, "price": 99.9},
            {"text": "Discount", "quantity": 1, "price": -50},
        ],
    }


def test_heading(invoice):
    assert "<h1>Invoice 2026-007</h1>" in render_invoice(invoice)


def test_escaping(invoice):
    html = render_invoice(invoice)
    assert "Smith &amp; Sons &lt;Ltd&gt;" in html
    assert "<Ltd>" not in html


def test_rows(invoice):
    assert rows(render_invoice(invoice)) == [
        ("odd", ["Desk", "2", "1,200.50 €"]),
        ("even", ["Chair", "1", "99.90 €"]),
        ("odd", ["Discount", "1", "-50.00 €"]),
        ("total", ["Total", "1,250.40 €"]),
    ]


def test_no_lines(invoice):
    html = render_invoice({**invoice, "lines": []})
    assert "<p>No items.</p>" in html
    assert "<table>" not in html


def test_rendering_twice_gives_the_same(invoice):
    assert render_invoice(invoice) == render_invoice(invoice)


@pytest.mark.parametrize("key", ["number", "customer", "lines"])
def test_missing_key(invoice, key):
    del invoice[key]
    with pytest.raises(jinja2.UndefinedError, match=key):
        render_invoice(invoice)


@pytest.mark.parametrize(
    "amount, text",
    [(0, "0.00 €"), (1234.5, "1,234.50 €"), (-0.5, "-0.50 €"), (1_000_000, "1,000,000.00 €")],
)
def test_money(amount, text):
    assert money(amount) == text
