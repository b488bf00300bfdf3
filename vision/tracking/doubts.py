"""What a person should settle about the table, in words."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Sequence

from rules import tile_name
from vision.doubts import die_pips, unsure_tile
from vision.table.guess import GUESSED
from vision.table.placed import PlacedTile
from vision.tracking.book import Book
from vision.tracking.looking import Looking
from vision.tracking.moves import Seen
from vision.tracking.my_hand import FULL_HAND
from vision.tracking.story import Story
from vision.values import Box, Choice, Doubt

PIPS, ROLLS = 6, 3
# Around a tile in its own longer sides: there lies the one that was discarded before or after it.
NEAR_SIDES, MOST_GLIMPSED = 2.0, 3
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
        doubts.append(_rules_disagree(book, story, placed))
    if rolls and dealer is None and not any(s.kind != "draw" for s in story.moves):
        doubts.append(_dealer())
    if story.playing and book.round is None and not (book.reasons or story.joined_late):
        doubts += [] if story.indicator else [_turned_unseen()]
    # Where no roll was seen at all, none is to be expected: the dice are out of the picture.
    if 0 < len(rolls) < ROLLS and book.round is not None and story.playing:
        doubts.append(_rolls_missing(len(rolls)))
    if roll_doubtful and rolls:
        doubts.append(_roll(rolls))
    count = story.miscounted_hand(at)
    if count is not None:
        doubts.append(_miscounted(count, len(story.known_melds(0)), placed))
    doubts += [
        _unseen(seen, beside, _glimpsed(placed, looking, beside))
        for seen, beside in story.unseen_discards()
    ]
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


def _rules_disagree(book: Book, story: Story, placed: Sequence[PlacedTile]) -> Doubt:
    reason = book.reasons[0]
    return Doubt(
        "rules_disagree",
        f"看到的与规则不符（第 {book.applied + 1} 步）：{reason.zh}。可能漏看或看错了，请核对。",
        f"What was seen and the rules disagree at move {book.applied + 1}: {reason.en}. "
        "Something was missed or misread; please check.",
        _in_question(book, story, placed),
    )


def _in_question(book: Book, story: Story, placed: Sequence[PlacedTile]) -> tuple[int, ...]:
    """The tiles of which at least one does not fit: all of a kind seen too often, or those of the
    move that cannot be and of the one before it."""
    if book.tile is not None:
        alike = tuple(p.tile.index for p in placed if p.tile.tile == book.tile)
        if alike:
            return alike
    here = {p.tile.index for p in placed}
    moves = story.moves[max(book.applied - 1, 0) : book.applied + 1]
    return tuple(i for seen in moves for i in seen.ids if i in here)


def _miscounted(count: int, sets: int, placed: Sequence[PlacedTile]) -> Doubt:
    full = FULL_HAND - 3 * sets
    mine = tuple(p.tile.index for p in placed if p.seat == 0 and p.role in ("hand", "drawn"))
    return Doubt(
        "hand_count",
        f"您的手牌看到 {count} 张，应是 {full} 或 {full + 1} 张：有牌没认出来或多认了，请核对。",
        f"{count} tiles of your hand are seen, but it has {full} or {full + 1}: one was not read, "
        "or one too many; please check.",
        mine,
    )


def _unseen(seen: Seen, beside: tuple[int, ...], glimpsed: Sequence[str]) -> Doubt:
    who = SEATS[seen.seat]
    zh, en = ("您", "you") if seen.seat == 0 else (who.zh, who.en)
    return Doubt(
        "discard_unseen",
        f"按轮次，{zh}打过一张没认出来的牌：是哪张？",
        f"By the order of play {en} discarded a tile that was not read: which one was it?",
        beside,
        tuple(Choice(tile, tile_name(tile, "zh"), tile_name(tile, "en")) for tile in glimpsed),
        seen.ids[0],
    )


def _glimpsed(
    placed: Sequence[PlacedTile], looking: Looking, beside: Collection[int]
) -> tuple[str, ...]:
    """What an unseen discard may be, likeliest first: faces near the ones that lie beside it.

    Such as belong to nobody, or were not seen often enough to count.
    """
    boxes = [p.tile.box for p in placed if p.tile.index in beside]
    aside = [p.tile for p in placed if p.role == "loose"]
    faint = [t.reading() for t in looking.tracks.all() if not t.settled]
    found: dict[str, float] = {}
    for tile in (*aside, *faint):
        if tile.is_face and any(_near(tile.box, box) for box in boxes):
            found[tile.tile] = max(found.get(tile.tile, 0.0), tile.confidence)
    return tuple(sorted(found, key=lambda name: -found[name])[:MOST_GLIMPSED])


def _near(box: Box, other: Box) -> bool:
    """Whether their middles are no farther apart than `NEAR_SIDES` of the other's longer sides."""
    longer = max(other[2] - other[0], other[3] - other[1])
    across, down = (box[0] + box[2] - other[0] - other[2], box[1] + box[3] - other[1] - other[3])
    return math.hypot(across, down) / 2 <= NEAR_SIDES * longer


def _dealer() -> Doubt:
    return Doubt("dealer", "谁是庄家？", "Who deals?", (), SEATS)


def _turned_unseen() -> Doubt:
    return Doubt(
        "turned_unseen",
        "没看到翻开的那张牌：不知道哪张是混儿。翻的是哪张？",
        "The turned tile was not seen, so the jokers are not known. Which one was it?",
    )


def _rolls_missing(seen: int) -> Doubt:
    return Doubt(
        "rolls_missing",
        f"开局三次掷骰只看到 {seen} 次：牌墙还剩多少张可能不准。记得的话请补上。",
        f"Only {seen} of the opening's three rolls {'was' if seen == 1 else 'were'} seen: how many "
        "tiles the wall has left may be wrong. If you remember the rest, enter it.",
    )


def _roll(rolls: Sequence[tuple[int, int]]) -> Doubt:
    """The last roll was not read surely; each choice is all of the opening's rolls as JSON."""
    said = "+".join(map(str, rolls[-1]))

    def choice(roll: tuple[int, int]) -> Choice:
        label = "+".join(map(str, roll))
        return Choice(json.dumps([*rolls[:-1], roll]), label, label)

    return Doubt(
        "roll",
        f"骰子读作 {said}，把握不大，请核对。",
        f"The dice read {said}, but not surely; please check.",
        (),
        tuple(choice(roll) for roll in (rolls[-1], *likely_rolls(rolls[-1]))),
    )


def likely_rolls(roll: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Other rolls that this one may be: one die a pip more or fewer."""
    first, second = roll
    near = [(first + step, second) for step in (-1, 1)]
    near += [(first, second + step) for step in (-1, 1)]
    return tuple((a, b) for a, b in near if min(a, b) >= 1 and max(a, b) <= PIPS)
