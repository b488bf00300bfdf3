"""Why a hand is worth what it is, in words: its sets, what each joker stands for, the sum."""

from __future__ import annotations

from rules.explain import Judgement
from rules.reading import Group, Placed
from rules.reasons import Reason
from rules.tiles import format_tiles


def _placed(placed: Placed, own: bool) -> tuple[str, str]:
    zh = en = placed.tile
    if placed.joker and placed.tile != placed.stands_for:
        zh, en = f"{placed.tile}当{placed.stands_for}", f"{placed.tile} as {placed.stands_for}"
    elif placed.joker:
        zh, en = f"混儿{placed.tile}", f"joker {placed.tile}"
    if placed.drawn:
        zh, en = (f"{zh}(抓)", f"{en} (drawn)") if own else (f"{zh}(打出)", f"{en} (discarded)")
    return zh, en


def group_words(group: Group, own: bool = True) -> tuple[str, str]:
    """A group, such as `123m`, or `[4m, 5m (drawn), 6z as 6m]` where tiles need a word.

    Args:
        group: a set or the pair.
        own: whether the last tile was drawn by oneself, not discarded by another.
    """
    if not any(placed.joker or placed.drawn for placed in group.tiles):
        text = format_tiles(placed.tile for placed in group.tiles)
        return text, text
    words = [_placed(placed, own) for placed in group.tiles]
    return "[" + " ".join(zh for zh, _ in words) + "]", "[" + ", ".join(en for _, en in words) + "]"


def judgement_words(judgement: Judgement) -> Reason:
    """The reading, the fans and the sum; for a hand that is no win, why not."""
    reading = judgement.reading
    if reading is None:
        return Reason(
            "no_win",
            "；".join(reason.zh for reason in judgement.reasons),
            "; ".join(reason.en for reason in judgement.reasons),
        )
    groups = [group_words(group, judgement.hand.self_draw) for group in reading.groups]
    zh = " ".join(zh for zh, _ in groups)
    en = " ".join(en for _, en in groups)
    if not judgement.win:
        zh += "：" + "；".join(reason.zh for reason in judgement.reasons)
        en += ": " + "; ".join(reason.en for reason in judgement.reasons)
        return Reason("no_win", zh, en)
    signs = [
        (
            f"{line.zh}{line.operation}{line.factor}",
            f"{line.zh} {line.en} {line.operation}{line.factor}",
        )
        for line in judgement.fans
    ]
    total = judgement.arithmetic if "=" in judgement.arithmetic else str(judgement.fan)
    return Reason(
        "win",
        f"{zh}：{'、'.join(zh for zh, _ in signs)}，共 {total} 番",
        f"{en}: {', '.join(en for _, en in signs)}; in all {total} fan",
    )
