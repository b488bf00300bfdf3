"""What a hand pays, as JSON."""

from __future__ import annotations

from typing import Any

from rules.settlement import Settlement


def settlement_json(settlement: Settlement) -> dict[str, Any]:
    """What a hand pays: points by seat, the next dealer, and each payment with its reason."""
    payments = [
        {
            "payer": payment.payer,
            "payee": payment.payee,
            "points": payment.points,
            "multiplier": payment.multiplier,
            "reason": payment.reason.to_json(),
        }
        for payment in settlement.payments
    ]
    return {**settlement.answer(), "payments": payments}
