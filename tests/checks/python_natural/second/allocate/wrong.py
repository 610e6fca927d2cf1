from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def allocate(amount, ratios):
    if not ratios or any(ratio < 0 for ratio in ratios) or sum(ratios) == 0:
        raise ValueError("bad ratios")
    total = sum(ratios)
    shares = [(amount * ratio / total).quantize(CENT, ROUND_HALF_UP) for ratio in ratios]
    shares[-1] = amount - sum(shares[:-1])
    return shares
