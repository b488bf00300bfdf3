"""Drills about 打风: where East sits, who sits where, whether the draw is void (SPEC §2)."""

from __future__ import annotations

import random

from rules.drills import Question
from rules.reasons import Reason
from rules.seating import WINDS, draw_winds, east_seat
from rules.tiles import tile_name
from rules.wall import SEATS

_NAMES = (("甲", "Ann"), ("乙", "Bo"), ("丙", "Cai"), ("丁", "Dee"))
"""The players in the order they sit, anticlockwise."""
_WINDS = (("东", "East"), ("南", "South"), ("西", "West"), ("北", "North"))

Words = tuple[str, str]


def seating(rng: random.Random, level: int) -> Question:
    """Where East is and who draws first (level 1), who gets which seat (2), is it void (3)."""
    if level == 1:
        return _east(rng)
    return _whose_seat(rng) if level == 2 else _redo(rng)


def _order_words() -> Words:
    zh = "、".join(zh for zh, _ in _NAMES)
    en = ", ".join(en for _, en in _NAMES)
    return f"{zh}逆时针坐着", f"{en} sit anticlockwise"


def _east(rng: random.Random) -> Question:
    roller, dice = rng.randrange(SEATS), (rng.randint(1, 6), rng.randint(1, 6))
    east, points = east_seat(roller, dice), sum(dice)
    (order_zh, order_en), (zh, en) = _order_words(), _NAMES[roller]
    found_zh, found_en = _NAMES[east]
    return Question(
        f"打风：{order_zh}，{zh}掷色子 {dice[0]}+{dice[1]}={points}。谁现在的座位是东，先拿风牌？",
        f"打风: {order_en}; {en} rolls {dice[0]}+{dice[1]}={points}. Whose present seat becomes "
        "East, and so who draws the first wind?",
        Reason(
            "east_seat",
            f"从{zh}数起，逆时针数到 {points} 是{found_zh}的座位，"
            f"那里是东；{found_zh}先拿，再逆时针依次拿",
            f"count {points} anticlockwise, {en} being one: {found_en}'s seat is East; {found_en} "
            "draws first, the others follow anticlockwise",
        ),
        {"dice": [list(dice)], "roller": roller, "east": east},
        [(zh, en, at == east) for at, (zh, en) in enumerate(_NAMES)],
    )


def _picks_words(east: int, picks: list[str]) -> Words:
    zh, en = [], []
    for k, wind in enumerate(picks):
        name_zh, name_en = _NAMES[(east + k) % SEATS]
        zh.append(f"{name_zh}拿到{tile_name(wind, 'zh')}")
        en.append(f"{name_en} draws {wind}")
    return "，".join(zh), ", ".join(en)


def _drawn(rng: random.Random, after_guo: bool) -> tuple[int, list[str], tuple[str, ...], bool]:
    """East's seat, the winds drawn in turn, who then sits where, and whether it is void."""
    east, picks = rng.randrange(SEATS), rng.sample(WINDS, SEATS)
    if after_guo and rng.random() < 0.5:
        # Each of the four rotations leaves everybody's neighbours as they were.
        turn = rng.randrange(SEATS)
        picks = [WINDS[(k + turn) % SEATS] for k in range(SEATS)]
    result = draw_winds([zh for zh, _ in _NAMES], east, picks, after_guo)
    return east, picks, result.seats, result.redo


def _whose_seat(rng: random.Random) -> Question:
    east, picks, seats, _ = _drawn(rng, after_guo=False)
    asked = rng.randrange(SEATS)
    (order_zh, order_en), (drawn_zh, drawn_en) = _order_words(), _picks_words(east, picks)
    seat = (east + asked) % SEATS
    zh, en = _NAMES[seat]
    wind_zh, wind_en = _WINDS[asked]
    sits = [name for name, _ in _NAMES].index(seats[seat])
    who_zh, who_en = _NAMES[sits]
    return Question(
        f"打风：{order_zh}，{_NAMES[east][0]}的座位是东。{drawn_zh}。{zh}现在的座位该谁坐？",
        f"打风: {order_en}; {_NAMES[east][1]}'s seat is East. {drawn_en}. Who is to sit where "
        f"{en} sits now?",
        Reason(
            "seating",
            f"从东起逆时针是东、南、西、北，{zh}的座位是{wind_zh}；{who_zh}拿的是{wind_zh}，坐这里",
            f"anticlockwise from East come South, West, North: {en}'s seat is {wind_en}, and "
            f"{who_en} drew {wind_en}",
        ),
        {"east": east, "picks": picks, "seat": seat, "seats": list(seats)},
        [(zh, en, at == sits) for at, (zh, en) in enumerate(_NAMES)],
    )


def _redo(rng: random.Random) -> Question:
    after_guo = rng.random() < 0.75
    east, picks, seats, redo = _drawn(rng, after_guo=True)
    redo = redo and after_guo
    (order_zh, order_en), (drawn_zh, drawn_en) = _order_words(), _picks_words(east, picks)
    when_zh, when_en = (
        ("打完一锅后打风", "After a 锅 the winds are drawn")
        if after_guo
        else ("第一锅之前打风", "Before the first 锅 the winds are drawn")
    )
    return Question(
        f"{when_zh}：{order_zh}，{_NAMES[east][0]}的座位是东。{drawn_zh}。要重新打风吗？",
        f"{when_en}: {order_en}; {_NAMES[east][1]}'s seat is East. {drawn_en}. Must they be drawn "
        "again?",
        _redo_words(seats, after_guo, redo),
        {"east": east, "picks": picks, "after_guo": after_guo, "seats": list(seats)},
        [("要重新打", "Yes, the draw is void", redo), ("不用", "No, it stands", not redo)],
    )


def _redo_words(seats: tuple[str, ...], after_guo: bool, redo: bool) -> Reason:
    now_zh = "、".join(seats)
    english = dict(_NAMES)
    now_en = ", ".join(english[name] for name in seats)
    if not after_guo:
        why_zh = "第一锅之前打的风总算数"
        why_en = "before the first 锅 the draw always stands"
    elif redo:
        why_zh = "每家的上家和下家都没变，打风无效，重新打"
        why_en = "everybody keeps the neighbours of before, so the draw is void"
    else:
        why_zh = "上下家变了，打风有效"
        why_en = "the neighbours have changed, so it stands"
    return Reason(
        "redo",
        f"新座位逆时针是{now_zh}：{why_zh}",
        f"anticlockwise they now sit {now_en}: {why_en}",
    )
