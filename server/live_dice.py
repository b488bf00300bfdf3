"""What the live camera has seen of the dice, the turned tile and the winds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules.seating import WINDS

if TYPE_CHECKING:
    from server.live_session import LiveSession
    from vision.tracking.state import TableState

MOST_THROWS = 12


def dice_json(session: LiveSession | None) -> dict[str, Any]:
    """The throws that have come to rest, oldest first, and what belongs to them.

    Returns:
        `session` (its number, None without one), `source` (the state of its source), `throws`
        (each an `id`, `values`, `doubtful`, `confidence` and Unix seconds `wall`), `rolls` (the
        opening's rolls as the live table counts them), `indicator` (`tile` and `doubtful`, or
        None) and `winds` (wind tiles that lie face up, in the order in which they appeared: `id`,
        `tile`, `doubtful`).
    """
    if session is None:
        return {
            "session": None, "source": None, "throws": [], "rolls": [], "indicator": None,
            "winds": [],
        }  # fmt: skip
    state = session.table.state()
    return {
        "session": session.number,
        "source": session.source_state(),
        "throws": [] if state is None else _throws(state),
        "rolls": [list(roll) for roll in session.table.rolls()],
        "indicator": None if state is None else _indicator(state),
        "winds": [] if state is None else _winds(state),
    }


def _throws(state: TableState) -> list[dict[str, Any]]:
    thrown = [event for event in state.events if event.kind == "rolled"][-MOST_THROWS:]
    return [
        {
            "id": f"{event.at:.3f}",
            "values": list(event.values),
            "doubtful": event.doubtful,
            "confidence": round(event.confidence, 3),
            "wall": round(event.wall, 3),
        }
        for event in thrown
    ]


def _indicator(state: TableState) -> dict[str, Any] | None:
    turned = state.indicator
    if turned is None or not turned.tile.is_face:
        return None
    return {"tile": turned.tile.tile, "doubtful": turned.tile.doubtful}


def _winds(state: TableState) -> list[dict[str, Any]]:
    lying = [placed.tile for placed in state.tiles if placed.tile.tile in WINDS]
    return [
        {"id": tile.index, "tile": tile.tile, "doubtful": tile.doubtful}
        for tile in sorted(lying, key=lambda tile: tile.index)
    ]
