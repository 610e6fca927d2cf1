from jinja2 import Environment, StrictUndefined

TEMPLATE = """\
<h1>Invoice {{ number }}</h1>
<p class="customer">{{ customer }}</p>
{% if lines -%}
<table>
{%- for line in lines %}
<tr class="{{ loop.cycle('odd', 'even') }}"><td>{{ line.text }}</td><td>{{ line.quantity }}</td><td>{{ (line.quantity * line.price) | money }}</td></tr>
{%- set total.value = total.value + line.quantity * line.price %}
{%- endfor %}
<tr class="total"><td colspan="2">Total</td><td>{{ total.value | money }}</td></tr>
</table>
{%- else -%}
<p>No items.</p>
{%- endif %}
"""


def money(amount):
    return f"{amount:,.2f} €"


_environment = Environment(autoescape=True, undefined=StrictUndefined)
_environment.filters["money"] = money
_template = _environment.from_string("{% set total = namespace(value=0) %}" + TEMPLATE)


def render_invoice(invoice):
    return _template.render(invoice)
