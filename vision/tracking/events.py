"""What happened at the table, told once, with its time and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules import Opening, joker_kinds, tile_name
from rules.opening import saying
from rules.wall import stack_place

SEAT_ZH = ("自己", "下家", "对家", "上家")
SEAT_EN = ("me", "the right", "across", "the left")
VERBS = {
    "drew": ("摸", "drew"),
    "discarded": ("打", "discarded"),
    "ponged": ("碰", "ponged"),
    "konged": ("杠", "konged"),
    "won": ("胡", "won"),
}
# Of what follows from the order of play alone.
UNSEEN = 0.3
KONGS = {
    "open": ("明杠", "an open kong of"),
    "added": ("补杠", "an added kong of"),
    "concealed": ("暗杠", "a concealed kong of"),
}


@dataclass(frozen=True)
class TableEvent:
    """One thing that happened.

    Attributes:
        kind: `rolled`, `flipped`, `drew`, `discarded`, `ponged`, `konged`, `won`, `cleared` or
            `revised` (an earlier event's tile was misread).
        at: Seconds of the frame it was first seen in (monotonic, or into the recording).
        wall: Unix seconds.
        confidence: 0..1.
        zh: What happened, in Chinese.
        en: The same in English.
        seat: 0 me, 1 right, 2 across, 3 left; None where nobody's.
        tile: The tile, MPSZ.
        values: The dice of a roll.
        how: Of a kong `open`, `added` or `concealed`; of a roll which of the opening's it is.
        doubtful: Somebody should look.
    """

    kind: str
    at: float
    wall: float
    confidence: float
    zh: str
    en: str
    seat: int | None = None
    tile: str | None = None
    values: tuple[int, ...] = ()
    how: str = ""
    doubtful: bool = False

    def to_json(self) -> dict[str, Any]:
        """The event as `zhuowu watch --json` prints it; empty fields are left out."""
        out: dict[str, Any] = {
            "event": self.kind,
            "at": round(self.at, 3),
            "wall": round(self.wall, 3),
            "confidence": round(self.confidence, 3),
            "zh": self.zh,
            "en": self.en,
        }
        for name in ("seat", "tile", "how"):
            value = getattr(self, name)
            if value not in (None, ""):
                out[name] = value
        if self.values:
            out["values"] = list(self.values)
        if self.doubtful:
            out["doubtful"] = True
        return out


def acted(
    kind: str, seat: int, tile: str, at: float, wall: float, confidence: float, how: str = ""
) -> TableEvent:
    """A seat drew, discarded, ponged, konged or won with a tile."""
    zh, en = VERBS[kind]
    if how:
        zh, en = KONGS[how][0], f"made {KONGS[how][1]}"
    who = "I" if seat == 0 else SEAT_EN[seat]
    name_en = "" if kind == "won" and not tile else f" {tile_name(tile, 'en')}"
    name_zh = tile_name(tile, "zh") if tile else ""
    joint = " with" if kind == "won" and tile else ""
    return TableEvent(
        kind,
        at,
        wall,
        confidence,
        f"{SEAT_ZH[seat]}{zh}{name_zh}",
        f"{who} {en}{joint}{name_en}",
        seat,
        tile or None,
        how=how,
        doubtful=confidence < 0.6,
    )


def unread(seat: int, at: float, wall: float) -> TableEvent:
    """A seat must have discarded a tile that was not read."""
    who = "I" if seat == 0 else SEAT_EN[seat]
    return TableEvent(
        "discarded",
        at,
        wall,
        UNSEEN,
        f"{SEAT_ZH[seat]}打了一张没认出来的牌",
        f"{who} discarded a tile that was not read",
        seat,
        doubtful=True,
    )


def revised(
    seat: int, tile: str, old: str, at: float, wall: float, confidence: float
) -> TableEvent:
    """An earlier discard is another tile than was told; either is empty where nobody knows it."""
    event = acted("discarded", seat, tile, at, wall, confidence) if tile else unread(seat, at, wall)
    read_zh = f"原读作 {old}" if old else "原来没认出来"
    read_en = f"read as {old} before" if old else "not read before"
    return TableEvent(
        "revised",
        at,
        wall,
        confidence,
        f"更正：{event.zh}（{read_zh}）",
        f"correction: {event.en} ({read_en})",
        seat,
        tile or None,
        how=old,
        doubtful=event.doubtful,
    )


def flipped(
    tile: str, rule: str, at: float, wall: float, confidence: float, doubtful: bool
) -> TableEvent:
    """The turned tile was found: it sets the jokers."""
    jokers = joker_kinds(tile, rule)
    zh = f"翻出{tile_name(tile, 'zh')}，混儿是{'、'.join(tile_name(j, 'zh') for j in jokers)}"
    en = f"turned {tile_name(tile, 'en')}: jokers are " + ", ".join(
        tile_name(j, "en") for j in jokers
    )
    return TableEvent("flipped", at, wall, confidence, zh, en, None, tile, doubtful=doubtful)


def rolled(
    values: tuple[int, ...],
    rolls: tuple[tuple[int, int], ...],
    dealer: int | None,
    at: float,
    wall: float,
    confidence: float,
    doubtful: bool,
) -> TableEvent:
    """A roll, and what it means where it is one of the opening's.

    Args:
        values: The dice.
        rolls: The opening's rolls so far, this one included when it is one of them.
        dealer: 0..3 where known.
        at: Seconds.
        wall: Unix seconds.
        confidence: 0..1.
        doubtful: Somebody should look.
    """
    spelled = "+".join(map(str, values))
    zh, en = f"掷出 {spelled}", f"rolled {spelled}"
    if not values:
        zh, en = "掷了色子，太小看不清点数", "dice were rolled, too small to be read"
    number = len(rolls)
    if number:
        meaning = roll_meaning(rolls, dealer)
        zh, en = f"{zh}：{meaning[0]}", f"{en}: {meaning[1]}"
    how = str(number) if number else ""
    return TableEvent(
        "rolled", at, wall, confidence, zh, en, values=values, how=how, doubtful=doubtful
    )


def roll_meaning(rolls: tuple[tuple[int, int], ...], dealer: int | None) -> tuple[str, str]:
    """What the last of the opening's one to three rolls says, in Chinese and English."""
    filled = (*rolls, *((1, 1),) * 3)[:3]
    opening = Opening(dealer or 0, filled[0], filled[1], filled[2])
    if len(rolls) == 1:
        said = saying(sum(rolls[0]))
        if dealer is None:
            return f"{said['zh']}", f"{said['en']}"
        who = opening.second_roller
        return (
            f"{said['zh']}，{SEAT_ZH[who]}再掷",
            f"{said['en']}; next to roll: {SEAT_EN[who]}",
        )
    if dealer is None:
        return "庄家未定，请指明庄家", "say who deals: the wall is counted from there"
    stack = opening.break_stack if len(rolls) == 2 else opening.indicator_stack
    owner, place = stack_place(stack)
    if len(rolls) == 2:
        return (
            f"从{SEAT_ZH[owner]}牌墙左数第 {place} 墩开牌",
            f"break at stack {place} from the left of the wall of {SEAT_EN[owner]}",
        )
    return (
        f"{SEAT_ZH[owner]}牌墙左数第 {place} 墩上张是混牌",
        f"turn the upper tile of stack {place} from the left of the wall of {SEAT_EN[owner]}",
    )
