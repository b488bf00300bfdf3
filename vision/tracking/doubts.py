"""What a person should settle about the table, in words."""

from __future__ import annotations

from collections.abc import Sequence

from vision.doubts import die_pips, unsure_tile
from vision.table.guess import GUESSED
from vision.table.placed import PlacedTile
from vision.tracking.book import Book
from vision.tracking.looking import Looking
from vision.tracking.story import Story
from vision.values import Choice, Doubt

ASKED_ROLES = ("hand", "drawn", "meld", "pond", "indicator")
SEATS = (
    Choice("0", "自己", "me"),
    Choice("1", "下家", "the right"),
    Choice("2", "对家", "across"),
    Choice("3", "上家", "the left"),
)


def table_doubts(
    placed: Sequence[PlacedTile],
    looking: Looking,
    story: Story,
    book: Book,
    rolls: Sequence[tuple[int, int]],
    dealer: int | None,
    roll_doubtful: bool,
    at: float,
) -> tuple[Doubt, ...]:
    """Every doubt about the table as it is now.

    Args:
        placed: The tiles.
        looking: How they were seen.
        story: What happened.
        book: What the rules make of it.
        rolls: The opening's rolls.
        dealer: The dealer where named.
        roll_doubtful: The last roll was not read with certainty.
        at: Seconds.
    """
    doubts = [unsure_tile(p.tile) for p in placed if p.tile.doubtful and p.role in ASKED_ROLES]
    doubts += [
        die_pips(p.tile)
        for p in placed
        if p.role == "dice" and p.tile.pips and p.tile.tile != f"die{p.tile.pips}"
    ]
    if looking.view_lost:
        doubts.append(_view_lost())
    if looking.placement is None:
        return tuple(doubts)
    if looking.placement.name == GUESSED:
        doubts.append(_guessed())
    if story.joined_late:
        doubts.append(_joined_late())
    elif book.reasons:
        doubts.append(_rules_disagree(book))
    if rolls and dealer is None and not any(s.kind != "draw" for s in story.moves):
        doubts.append(_dealer())
    if roll_doubtful and rolls:
        doubts.append(_roll(rolls[-1]))
    for seen in story.lost_discards(at):
        doubts.append(
            Doubt(
                "discard_gone",
                f"打出的 {seen.tile} 不见了，也没有人碰杠它。",
                f"The discarded {seen.tile} is gone, and nobody's exposed set took it.",
                seen.ids,
            )
        )
    return tuple(doubts)


def _view_lost() -> Doubt:
    return Doubt(
        "camera_moved",
        "画面变了很多，认不出原来的桌面：显示的是之前的状态。请把摄像头摆回去，或重新设定机位。",
        "The picture changed so much that the table is not recognised: what is shown is from "
        "before. Put the camera back or place the table again.",
    )


def _guessed() -> Doubt:
    return Doubt(
        "placement_guessed",
        "机位是自动猜的：请核对四个桌角和自己的座位。",
        "Where the table lies was guessed: please check its corners and your seat.",
    )


def _joined_late() -> Doubt:
    return Doubt(
        "joined_late",
        "开始观看时桌上已有打出的牌：不知道先后，这一盘不记账。",
        "Discards lay there when watching began: their order is not known, so this hand is not "
        "kept in the book.",
    )


def _rules_disagree(book: Book) -> Doubt:
    reason = book.reasons[0]
    return Doubt(
        "rules_disagree",
        f"看到的与规则不符（第 {book.applied + 1} 步）：{reason.zh}。可能漏看或看错了，请核对。",
        f"What was seen and the rules disagree at move {book.applied + 1}: {reason.en}. "
        "Something was missed or misread; please check.",
    )


def _dealer() -> Doubt:
    return Doubt("dealer", "谁是庄家？", "Who deals?", (), SEATS)


def _roll(roll: tuple[int, int]) -> Doubt:
    spelled = "+".join(map(str, roll))
    return Doubt(
        "roll",
        f"骰子读作 {spelled}，把握不大，请核对。",
        f"The dice read {spelled}, but not surely; please check.",
    )
