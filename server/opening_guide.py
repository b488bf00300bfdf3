"""开牌 and 打风 step by step: what has been rolled so far, who acts next, and why, in words.

Every place and every seat comes from `rules.opening` and `rules.seating`; the words here only say
them as the players do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules import joker_kinds, joker_tile_count, tile_name
from rules.opening import Opening, saying
from rules.seating import WINDS, draw_winds, east_seat
from rules.wall import SEATS, STACKS_PER_SEAT, Dice, count_seats, stack_place

ROLLS = 3
Text = dict[str, str]

RELATIVE: tuple[Text, ...] = (
    {"zh": "庄家", "en": "the dealer"},
    {"zh": "下家", "en": "the player after the dealer"},
    {"zh": "对门", "en": "the player opposite the dealer"},
    {"zh": "上家", "en": "the player before the dealer"},
)


def _who(seat: int, dealer: int) -> Text:
    return RELATIVE[(seat - dealer) % SEATS]


def _sum(dice: Dice) -> str:
    return f"{dice[0]}+{dice[1]}={sum(dice)}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def opening_guide(
    dealer: int, rolls: Sequence[Dice], indicator: str | None, joker_rule: str
) -> dict[str, Any]:
    """What the rolls made so far lead to (SPEC §3, §4.1).

    Args:
        dealer: seat 0..3.
        rolls: none to three rolls, in the order made.
        indicator: the turned tile when it is known.
        joker_rule: which tiles it makes jokers.

    Returns:
        `next` (`{"roll": 1..3, "roller": seat}` or None), `second_roller`, `joker_roller`, `break`
        and `indicator` (`{"owner", "stack"}`, stacks 1..17 from their builder's left) as far as
        they are settled, `count` (points counted to the break), `live_tiles`, `gang_tail`,
        `jokers`, and `steps`: a sentence for each roll and for what is to be done now.
    """
    made = [*rolls, *[(1, 1)] * (ROLLS - len(rolls))]
    opened = Opening(dealer, made[0], made[1], made[2])
    known = len(rolls)
    whole = opened.answer()
    rollers = (dealer, opened.second_roller, opened.joker_roller)
    jokers = joker_kinds(indicator, joker_rule) if indicator else ()
    return {
        "dealer": dealer,
        "next": None if known == ROLLS else {"roll": known + 1, "roller": rollers[known]},
        "second_roller": opened.second_roller if known >= 1 else None,
        "joker_roller": opened.joker_roller,
        "count": sum(opened.dice1) + sum(opened.dice2) if known >= 2 else None,
        "break": whole["break"] if known >= 2 else None,
        "indicator": whole["indicator"] if known == ROLLS else None,
        "live_tiles": whole["live_tiles"] if known == ROLLS else None,
        "gang_tail": whole["gang_tail"] if known == ROLLS else None,
        "jokers": list(jokers),
        "joker_tiles": joker_tile_count(jokers) if jokers else None,
        "saying": saying(sum(opened.dice1)) if known >= 1 else None,
        "steps": [
            *[_STEPS[number](opened) for number in range(known)],
            *([_now(opened, known)] if known < ROLLS else [_turned(indicator, jokers)]),
        ],
    }


def _first(opened: Opening) -> Text:
    who, said = _who(opened.second_roller, opened.dealer), saying(sum(opened.dice1))
    return {
        "zh": f"庄家掷 {_sum(opened.dice1)}。“{said['zh']}”：第二次由{who['zh']}掷。",
        "en": f"The dealer rolls {_sum(opened.dice1)}. “{said['zh']}” ({said['en']}): "
        f"{who['en']} rolls next.",
    }


def _second(opened: Opening) -> Text:
    roller = _who(opened.second_roller, opened.dealer)
    count = sum(opened.dice1) + sum(opened.dice2)
    owner, stack = stack_place(opened.break_stack)
    wall = _who(owner, opened.dealer)
    zh = (
        f"{roller['zh']}掷 {_sum(opened.dice2)}，两次一共 {count}。从{roller['zh']}的左手边往右数，"
    )
    en = (
        f"{_capital(roller['en'])} rolls {_sum(opened.dice2)}, {count} in all. Count from the left "
        "end of that player's own wall to the right"
    )
    if count > STACKS_PER_SEAT:
        zh += f"数完 17 墩接着数{wall['zh']}的墙，到第 {stack} 墩："
        en += f"; after 17 go on into the wall of {wall['en']}, to stack {stack}: "
    else:
        zh += f"数到第 {stack} 墩："
        en += f" to stack {stack}: "
    return {"zh": zh + "从这一墩开始抓牌。", "en": en + "drawing begins with that stack."}


def _third(opened: Opening) -> Text:
    points = sum(opened.dice3)
    owner, stack = stack_place(opened.indicator_stack)
    wall = _who(owner, opened.dealer)
    return {
        "zh": f"对门掷 {_sum(opened.dice3)}。从开牌的地方往回数 {points} 墩，"
        f"是{wall['zh']}的第 {stack} 墩：翻开上面那张。",
        "en": f"The player opposite the dealer rolls {_sum(opened.dice3)}. Count {points} stacks "
        f"back from the break: stack {stack} of {wall['en']}. Turn its upper tile.",
    }


_STEPS = (_first, _second, _third)


def _now(opened: Opening, known: int) -> Text:
    if known == 0:
        return {"zh": "庄家先掷两个色子。", "en": "The dealer rolls the two dice first."}
    if known == 1:
        who = _who(opened.second_roller, opened.dealer)
        return {"zh": f"请{who['zh']}掷第二次。", "en": f"Now {who['en']} rolls."}
    return {
        "zh": "抓完牌，由庄家的对门掷色子翻混儿。",
        "en": "When the tiles are dealt, the player opposite the dealer rolls for the jokers.",
    }


def _turned(indicator: str | None, jokers: Sequence[str]) -> Text:
    if indicator is None:
        return {
            "zh": "翻出来的是哪张？选上就知道混儿是什么。",
            "en": "Which tile was turned? Choose it to see the jokers.",
        }
    return {
        "zh": f"翻出{tile_name(indicator, 'zh')}，混儿是"
        f"{'、'.join(tile_name(tile, 'zh') for tile in jokers)}，"
        f"一共 {joker_tile_count(tuple(jokers))} 张。",
        "en": f"{_capital(tile_name(indicator, 'en'))} is turned: the jokers are "
        f"{' and '.join(tile_name(tile, 'en') for tile in jokers)}, "
        f"{joker_tile_count(tuple(jokers))} tiles in all.",
    }


def seating_guide(
    names: Sequence[str], roller: int, dice: Dice | None, picks: Sequence[str], after_guo: bool
) -> dict[str, Any]:
    """打风 as far as it has come (SPEC §2).

    Args:
        names: four different names by seat, as they sit now.
        roller: seat that rolls.
        dice: the roll, or None.
        picks: winds drawn so far, the first by who sits in the East seat.
        after_guo: a 锅 has just been played.

    Returns:
        `east` (seat or None), `next_picker` (seat or None), `seats` (names by seat, or None until
        the last pick), `redo`, `steps`.

    Raises:
        SeatingError: the picks are not one of each wind, or the names not four.
    """
    steps = []
    east = None if dice is None else east_seat(roller, dice)
    if dice is None or east is None:
        steps.append(
            {
                "zh": f"{names[roller]}掷两个色子，定东家坐哪里。",
                "en": f"{names[roller]} rolls two dice for the East seat.",
            }
        )
        return {"east": None, "next_picker": None, "seats": None, "redo": False, "steps": steps}
    points = sum(dice)
    steps.append(
        {
            "zh": f"{names[roller]}掷 {_sum(dice)}：从自己数起，逆时针数到 {points}，"
            f"{names[count_seats(roller, points)]}现在坐的地方是东。",
            "en": f"{names[roller]} rolls {_sum(dice)}: counting anticlockwise from oneself to "
            f"{points}, the seat of {names[east]} is East.",
        }
    )
    done = len(picks) == len(WINDS)
    body: dict[str, Any] = {
        "east": east,
        "next_picker": None if done else (east + len(picks)) % SEATS,
        "seats": None,
        "redo": False,
    }
    if done:
        drawn = draw_winds(names, east, picks, after_guo)
        body |= {"seats": list(drawn.seats), "redo": drawn.redo}
        steps.append(_REDO if drawn.redo else _seated(drawn.seats, east))
    else:
        picker = names[(east + len(picks)) % SEATS]
        first = "" if picks else "东南西北各一张，扣着洗好。"
        first_en = "" if picks else "Shuffle one East, South, West and North face down. "
        steps.append(
            {
                "zh": f"{first}请{picker}拿一张：拿到的是什么？",
                "en": f"{first_en}{picker} takes one: which is it?",
            }
        )
    return body | {"steps": steps}


_REDO = {
    "zh": "每个人的上家和下家都没变：这次打风无效，要重来。",
    "en": "Nobody's neighbours have changed: this 打风 is void, draw again.",
}


def _seated(seats: Sequence[str], east: int) -> Text:
    order = [seats[(east + k) % SEATS] for k in range(SEATS)]
    zh = "、".join(f"{wind}是{name}" for wind, name in zip("东南西北", order, strict=True))
    winds = ("East", "South", "West", "North")
    en = ", ".join(f"{wind} is {name}" for wind, name in zip(winds, order, strict=True))
    return {
        "zh": f"{zh}，逆时针坐下。{order[0]}先坐庄。",
        "en": f"{en}, anticlockwise. {order[0]} deals first.",
    }
