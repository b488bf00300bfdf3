"""The hand that the live view shows, and putting right what was read wrongly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

TILES = ".live-hand .hand [data-strip], .live-hand .drawn [data-strip]"


def shown(page: Any) -> list[tuple[str, str]]:
    """Every tile of the hand as (identity, face), the drawn one last."""
    found = page.locator(TILES).evaluate_all(
        "nodes => nodes.map(node => [node.dataset.strip, node.dataset.code])"
    )
    return [(one, code) for one, code in found]


def hand(page: Any) -> list[str]:
    """The faces of the hand."""
    return [code for _, code in shown(page)]


def put_right(page: Any, wanted: Sequence[str]) -> int:
    """Tap what was read wrongly and choose what it is; how many that were.

    One look at the page decides about each tile: between two it may be read anew.
    """
    changed = 0
    while True:
        tiles = shown(page)
        missing = list((Counter(wanted) - Counter(code for _, code in tiles)).elements())
        wrong = Counter(code for _, code in tiles) - Counter(wanted)
        if not wrong or not missing:
            return changed
        tile = next(one for one, code in tiles if code in wrong)
        page.locator(f'.live-hand [data-strip="{tile}"]').click()
        page.locator(f'#picker .grid [data-code="{missing[0]}"]').click()
        right = f'.live-hand .corrected[data-strip="{tile}"][data-code="{missing[0]}"]'
        page.locator(right).wait_for()
        changed += 1
        assert changed <= len(wanted), f"not put right: {hand(page)}"
