from decimal import Decimal

CENT = Decimal("0.01")


def allocate(amount: Decimal, ratios: list[int]) -> list[Decimal]:
    if not ratios or any(ratio < 0 for ratio in ratios) or sum(ratios) == 0:
        raise ValueError("ratios must be non-negative, and at least one positive")
    if amount % CENT:
        raise ValueError("amount has fractions of a cent")
    sign = -1 if amount < 0 else 1
    cents = int(abs(amount) * 100)
    total = sum(ratios)
    shares = [cents * ratio // total for ratio in ratios]
    remainders = [cents * ratio % total for ratio in ratios]
    by_remainder = sorted(range(len(ratios)), key=lambda index: -remainders[index])
    for index in by_remainder[: cents - sum(shares)]:
        shares[index] += 1
    return [sign * share * CENT for share in shares]
