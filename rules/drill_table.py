"""Drills about the table: what each player pays, who rolls and where the wall is broken."""

from __future__ import annotations

import random

from rules.drills import Question
from rules.example_hands import make_hand
from rules.examples import TOPICS
from rules.guo import result_to_json
from rules.jokers import joker_kinds
from rules.opening import Opening, saying
from rules.reasons import Reason
from rules.settlement import Gang, HandResult, Settlement, settle
from rules.tiles import TILES, tile_name
from rules.wall import STACKS, Dice, stack_place

_RELATIVE = (
    ("庄家", "the dealer"),
    ("庄家的下家", "the player after the dealer"),
    ("庄家的对门", "the player opposite the dealer"),
    ("庄家的上家", "the player before the dealer"),
)
_PAID = [
    topic
    for topic in TOPICS
    # These would say who wins, or that the winner has a 杠.
    if topic.fan > 1 and topic.key not in ("su", "heavenly", "earthly", "gang_draw")
]
_GANGS = {"open": ("明杠", "an open kong"), "concealed": ("暗杠", "a concealed kong")}


def _seat(seat: int, dealer: int) -> tuple[str, str]:
    return _RELATIVE[(seat - dealer) % 4]


def _roll(rng: random.Random) -> Dice:
    return rng.randint(1, 6), rng.randint(1, 6)


def opening(rng: random.Random, level: int) -> Question:
    """Who rolls second (level 1), where drawing begins (2), which stack is turned (3)."""
    opened = Opening(rng.randrange(4), _roll(rng), _roll(rng), _roll(rng))
    if level == 1:
        return _second_roller(opened)
    if level == 2:
        return _break(opened, rng)
    return _turned(opened, rng)


def _dice(dice: Dice) -> str:
    return f"{dice[0]}+{dice[1]}={sum(dice)}"


def _shown(opened: Opening, rolls: int) -> dict[str, object]:
    dice = [list(dice) for dice in (opened.dice1, opened.dice2, opened.dice3)[:rolls]]
    return {"dealer": opened.dealer, "dice": dice}


def _second_roller(opened: Opening) -> Question:
    zh, en = _seat(opened.second_roller, opened.dealer)
    said = saying(sum(opened.dice1))
    points = sum(opened.dice1)
    return Question(
        f"庄家掷色子 {_dice(opened.dice1)}，第二次由谁掷？",
        f"The dealer rolls {_dice(opened.dice1)}. Who rolls next?",
        Reason(
            "second_roller",
            f"从庄家数起，逆时针数到 {points} 是{zh}：口诀“{said['zh']}”",
            f"count {points} anticlockwise, the dealer being one: {en} ({said['en']})",
        ),
        _shown(opened, 1),
        [
            (zh, en, at == (opened.second_roller - opened.dealer) % 4)
            for at, (zh, en) in enumerate(_RELATIVE)
        ],
    )


def _places(right: int, rng: random.Random, opened: Opening) -> list[tuple[str, str, bool]]:
    """The right stack and three likely wrong ones."""
    wrong = sorted((right + off) % STACKS for off in (-17, -1, 1, 2, 17))
    stacks = [right, *rng.sample(wrong, 3)]
    options = []
    for stack in sorted(stacks):
        owner, place = stack_place(stack)
        zh, en = _seat(owner, opened.dealer)
        options.append(
            (
                f"{zh}面前左起第 {place} 墩",
                f"{en}'s wall, stack {place} from the left",
                stack == right,
            )
        )
    return options


def _break(opened: Opening, rng: random.Random) -> Question:
    points = sum(opened.dice1) + sum(opened.dice2)
    owner, place = stack_place(opened.break_stack)
    roller_zh, roller_en = _seat(opened.second_roller, opened.dealer)
    zh, en = _seat(owner, opened.dealer)
    past_zh = past_en = ""
    if points > 17:
        past_zh = f"超过 17 墩，顺着数到{zh}的第 {place} 墩，"
        past_en = f"past 17 the count goes on to stack {place} of {en}'s wall; "
    return Question(
        f"庄家掷 {_dice(opened.dice1)}，{roller_zh}再掷 {_dice(opened.dice2)}，从哪一墩开始抓牌？",
        f"The dealer rolls {_dice(opened.dice1)}, then {roller_en} rolls {_dice(opened.dice2)}. "
        "At which stack does drawing begin?",
        Reason(
            "break",
            f"四个色子共 {points} 点，从{roller_zh}的牌墙左边往右数 {points} 墩，{past_zh}"
            "就从数到的那一墩开始抓",
            f"the four dice make {points}: count {points} stacks from the left of {roller_en}'s "
            f"wall; {past_en}drawing begins with the stack counted to",
        ),
        _shown(opened, 2),
        _places(opened.break_stack, rng, opened),
    )


def _turned(opened: Opening, rng: random.Random) -> Question:
    owner, place = stack_place(opened.break_stack)
    zh, en = _seat(owner, opened.dealer)
    points = sum(opened.dice3)
    turned = rng.choice(TILES)
    jokers = joker_kinds(turned)
    names_zh = "和".join(tile_name(tile) for tile in jokers)
    names_en = " and ".join(jokers)
    return Question(
        f"从{zh}的第 {place} 墩开始抓牌，庄家的对门掷 {_dice(opened.dice3)}，翻哪一墩的上面一张？",
        f"Drawing began at stack {place} of {en}'s wall. The player opposite the dealer rolls "
        f"{_dice(opened.dice3)}. The upper tile of which stack is turned?",
        Reason(
            "turned",
            f"从开牌处反方向数 {points} 墩，紧挨着的是第 1 墩。"
            f"翻出{tile_name(turned)}的话，混儿就是{names_zh}",
            f"count {points} stacks backwards from the break, its neighbour being one; "
            f"if {turned} is turned there, {names_en} are the jokers",
        ),
        _shown(opened, 3) | {"turned": turned},
        _places(opened.indicator_stack, rng, opened),
    )


def _result(rng: random.Random, level: int) -> tuple[HandResult, str]:
    dealer, winner = rng.randrange(4), rng.randrange(4)
    topic = rng.choice(_PAID)
    made = make_hand(topic.wish, rng)
    count = rng.choice((0, 1)) if level < 3 else rng.choice((0, 1, 2))
    gangs = tuple(Gang(rng.randrange(4), rng.choice(sorted(_GANGS))) for _ in range(count))
    zuo = level == 3 and rng.random() < 0.7
    la = tuple(rng.randint(0, 1) if zuo and seat != dealer else 0 for seat in range(4))
    won = rng.random() < 0.85
    result = HandResult(
        dealer, winner if won else None, made.judgement.fan if won else 0, gangs, zuo, la
    )
    return result, made.judgement.title if won else ""


def _result_words(result: HandResult, title: str) -> tuple[str, str]:
    if result.winner is None:
        zh, en = "没有人和牌", "Nobody wins"
    else:
        who_zh, who_en = _seat(result.winner, result.dealer)
        zh = f"{who_zh}自摸{title} {result.fan} 番"
        en = f"{who_en} wins {title} of {result.fan} fan by own draw"
        en = en[0].upper() + en[1:]
    for gang in result.gangs:
        who_zh, who_en = _seat(gang.player, result.dealer)
        gang_zh, gang_en = _GANGS[gang.kind]
        zh, en = f"{zh}；{who_zh}有{gang_zh}", f"{en}; {who_en} has {gang_en}"
    if result.zuo:
        zh, en = f"{zh}；庄家坐庄", f"{en}; the dealer sits (坐庄)"
    for seat, times in enumerate(result.la):
        if times:
            who_zh, who_en = _seat(seat, result.dealer)
            zh, en = f"{zh}；{who_zh}拉庄", f"{en}; {who_en} pulls (拉庄)"
    return zh + "。", en + "."


def _signed(points: int) -> tuple[str, str]:
    if points == 0:
        return "不输不赢", "nothing either way"
    if points > 0:
        return f"赢 {points} 分", f"wins {points}"
    return f"输 {-points} 分", f"loses {-points}"


def _account(settled: Settlement, seat: int, dealer: int) -> Reason:
    zh, en = [], []
    for payment in settled.payments:
        if seat not in (payment.payer, payment.payee):
            continue
        paid = payment.payer == seat
        other_zh, other_en = _seat(payment.payee if paid else payment.payer, dealer)
        base = payment.points // payment.multiplier
        sum_of = (
            f"{base}×{payment.multiplier}={payment.points}"
            if payment.multiplier > 1
            else (f"{payment.points}")
        )
        verb_zh, verb_en = ("付给", "pays") if paid else ("收", "gets from")
        zh.append(f"{payment.reason.zh}：{verb_zh}{other_zh} {sum_of}")
        en.append(f"{payment.reason.en}: {verb_en} {other_en} {sum_of}")
    total_zh, total_en = _signed(settled.deltas[seat])
    if not zh:
        return Reason(
            "pays", f"与这一家无关：{total_zh}", f"nothing concerns this seat: {total_en}"
        )
    return Reason("pays", "；".join(zh) + f"。共{total_zh}", "; ".join(en) + f". In all {total_en}")


def pays(rng: random.Random, level: int) -> Question:
    """What does a player win or lose on this hand?"""
    result, title = _result(rng, level)
    settled = settle(result)
    seat = rng.randrange(4)
    right = settled.deltas[seat]
    likely = {
        -right,
        2 * right,
        right + 1,
        right - 1,
        right + 3,
        right - result.fan,
        *settled.deltas,
    }
    wrong = sorted(likely - {right})
    amounts = sorted([right, *rng.sample(wrong, min(3, len(wrong)))])
    zh, en = _result_words(result, title)
    who_zh, who_en = _seat(seat, result.dealer)
    return Question(
        f"{zh}这一盘{who_zh}输赢多少？",
        f"{en} What does {who_en} win or lose on this hand?",
        _account(settled, seat, result.dealer),
        {
            **result_to_json(result),
            "seat": seat,
            "deltas": list(settled.deltas),
        },
        [(*_signed(amount), amount == right) for amount in amounts],
    )
