"""From one 锅 to the next: 打风 with the players as they sat, and a new sheet (SPEC §2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import Reason, RulesError
from rules.seating import WINDS, draw_winds, east_seat
from rules.wall import SEATS
from server.ledger.errors import RefusedError, malformed, refused
from server.ledger.inputs import Request
from server.ledger.store import Entered, Ledger


def begin_next(ledger: Ledger, guo_id: int, body: Mapping[str, Any], request: Request) -> Entered:
    """Draw the seats anew after a 锅 and begin the next one by the same rules.

    The new sheet's players stand from East on, as they sit after the draw.

    Args:
        ledger: where both are kept.
        guo_id: the 锅 that has been played; it is over or closed.
        body: `roller` (seat), `dice` (the roll for East) and `picks`, the four winds in the order
            drawn, the first by who sits in the East seat.
        request: who asks.

    Raises:
        UnknownError: no such 锅.
        MalformedError: not shaped like a draw.
        RefusedError: the 锅 is still being played; the draw cannot be, or is void because nobody
            has another 上家 or 下家 ("打风后上下家的关系未发生变化：则打风无效，需要重新打风").
    """
    roller, dice, picks = _seat(body.get("roller")), _dice(body.get("dice")), _picks(body)
    sheet = ledger.sheet(guo_id)
    if sheet.closed_at is None and not sheet.guo.is_finished:
        raise RefusedError(
            Reason(
                "guo_still_open",
                "这一锅还没打完；不打了就先收锅",
                "this 锅 is still being played; close it first",
            )
        )
    east = east_seat(roller, dice)
    try:
        drawn = draw_winds(sheet.guo.players, east, picks, after_guo=True)
    except RulesError as error:
        raise refused(error) from None
    if drawn.redo:
        raise RefusedError(
            Reason(
                "draw_again",
                "打风后上下家没变，打风无效，要重新打",
                "everybody has the same neighbours as before: the draw is void, draw again",
            )
        )
    players = [drawn.seats[(east + k) % SEATS] for k in range(SEATS)]
    return ledger.begin(players, sheet.guo.options.to_mapping(), 0, request)


def _seat(value: object) -> int:
    if type(value) is int and 0 <= value < SEATS:
        return value
    raise malformed("bad_seat", "roller 应是座位 0 到 3", "'roller' must be a seat 0, 1, 2 or 3")


def _dice(value: object) -> tuple[int, int]:
    if isinstance(value, list) and len(value) == 2:
        first, second = value
        if all(type(n) is int and 1 <= n <= 6 for n in value):
            return first, second
    raise malformed(
        "bad_dice", "dice 应是两个 1 到 6 的点数", "'dice' must be two dice of 1 to 6, as [3, 4]"
    )


def _picks(body: Mapping[str, Any]) -> list[str]:
    picks = body.get("picks")
    if isinstance(picks, list) and all(isinstance(p, str) and p in WINDS for p in picks):
        return picks
    raise malformed(
        "bad_picks",
        "picks 应是按顺序抓到的四张风：1z 到 4z 各一张",
        "'picks' must be the four winds in the order drawn, 1z to 4z once each",
    )
