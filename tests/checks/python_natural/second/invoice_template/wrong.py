from jinja2 import Environment

TEMPLATE = """\
<h1>Invoice {{ number }}</h1>
<p class="customer">{{ customer }}</p>
<table>
{% set total = 0 %}
{% for line in lines %}
<tr class="{{ loop.cycle('odd', 'even') }}"><td>{{ line.text }}</td><td>{{ line.quantity }}</td><td>{{ (line.quantity * line.price) | money }}</td></tr>
{% set total = total + line.quantity * line.price %}
{% endfor %}
<tr class="total"><td colspan="2">Total</td><td>{{ total | money }}</td></tr>
</table>
"""


def money(amount):
    return f"{amount:.2f} €"


environment = Environment()
environment.filters["money"] = money


def render_invoice(invoice):
    return environment.from_string(TEMPLATE).render(**invoice)
