"""Advice in words: every sentence is put together from what was counted, in Chinese and English."""

from __future__ import annotations

from rules.advice import Advice, Discard, Standing, Wait
from rules.fans import FANS, Fan
from rules.reasons import Reason
from rules.tiles import tile_name

_BY_KEY = {fan.key: fan for fan in FANS}
_SAID = ("long", "zhuowu", "shuang_hundiao", "hundiao", "no_joker", "su")
"""The fans a discard may keep or give up, the dearest first."""
_LISTED = 6
_NEAR = 3
"""A fan further than this is not spoken of."""
_NEVER = 50
"""More exchanges than any hand needs: the fan cannot come."""

Words = tuple[str, str]
"""A piece of a sentence in Chinese and in English."""


def _name(fan: Fan) -> Words:
    return fan.zh, f"{fan.zh} {fan.en}"


def _and(names: list[Words]) -> Words:
    return "、".join(zh for zh, _ in names), " and ".join(en for _, en in names)


def _tile(tile: str) -> Words:
    return tile_name(tile, "zh"), tile


def _tiles(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"


def _more(kinds: int) -> str:
    return "1 more kind" if kinds == 1 else f"{kinds} more kinds"


def _fan_range(waits: tuple[Wait, ...]) -> str:
    fans = sorted({wait.fan for wait in waits if wait.left})
    return str(fans[0]) if len(fans) == 1 else f"{fans[0]}-{fans[-1]}"


def any_tile(standing: Standing, advice: Advice) -> bool:
    """Whether every tile the player can still draw wins."""
    winning = {wait.tile for wait in standing.waits}
    return bool(winning) and all(
        tile in winning for tile, left in advice.unseen.left.items() if left
    )


def kept_fans(standing: Standing) -> list[Fan]:
    """The fans that every wait with a copy left has."""
    live = [wait for wait in standing.waits if wait.left]
    if not live:
        return []
    return [fan for fan in FANS if all(fan in wait.fans for wait in live)]


def waits_words(standing: Standing, advice: Advice) -> Words:
    """What a ready hand waits for: tiles, copies left and scores."""
    live = tuple(wait for wait in standing.waits if wait.left)
    gone = [wait.tile for wait in standing.waits if not wait.left]
    if not live:
        zh, en = _and([_tile(tile) for tile in gone])
        return f"听{zh}，可都没有了", f"waits for {en}, and none is left"
    keeps = _and([_name(fan) for fan in kept_fans(standing)])
    score = _fan_range(live)
    if any_tile(standing, advice):
        zh, en = f"上任何一张牌都能和（{score} 番）", f"any tile wins ({score} fan)"
    else:
        listed = sorted(live, key=lambda wait: (-wait.fan, -wait.left))[:_LISTED]
        more = len(live) - len(listed)
        zh = "听" + "、".join(f"{tile_name(w.tile)}（{w.fan} 番，剩 {w.left}）" for w in listed)
        en = "waits for " + ", ".join(f"{w.tile} ({w.fan} fan, {w.left} left)" for w in listed)
        if more:
            zh, en = f"{zh}等 {len(live)} 种", f"{en} and {_more(more)}"
    if keeps[0]:
        zh, en = f"{zh}，成{keeps[0]}", f"{en}, always {keeps[1]}"
    return f"{zh}，共剩 {standing.left} 张", f"{en}; {_tiles(standing.left)} left"


def helps_words(standing: Standing) -> Words:
    """What a hand that is not ready needs next."""
    if not standing.helps:
        return "凑不成能和的牌", "no draw leads to a legal win"
    live = sorted((draw for draw in standing.helps if draw.left), key=lambda draw: -draw.left)
    if not live:
        return "需要的牌都没有了", "the tiles it needs are all gone"
    listed = live[:_LISTED]
    zh = "、".join(f"{tile_name(draw.tile)}（剩 {draw.left}）" for draw in listed)
    en = ", ".join(f"{draw.tile} ({draw.left} left)" for draw in listed)
    if len(live) > len(listed):
        zh, en = f"{zh}等 {len(live)} 种", f"{en} and {_more(len(live) - len(listed))}"
    return (
        f"有用的牌共剩 {standing.left} 张：{zh}",
        f"{_tiles(standing.left)} to help: {en}",
    )


def _towards(standing: Standing) -> Words:
    """The fans a hand that is not ready is nearest to."""
    near = [_BY_KEY[key] for key in _SAID if standing.goals.get(key) == standing.shanten]
    return _and([_name(fan) for fan in near])


def standing_words(standing: Standing, advice: Advice) -> Words:
    """Where some tiles stand: ready on what, or how far and what helps."""
    bare_zh = bare_en = ""
    bare = sum(wait.left for wait in standing.bare)
    if bare:
        bare_zh = f"（另有 {bare} 张只能成屁和，不算）"
        bare_en = f" ({bare} more would complete it as 屁和 (bare win), which does not count)"
    if standing.shanten == 0:
        zh, en = waits_words(standing, advice)
        return zh + bare_zh, en + bare_en
    zh, en = helps_words(standing)
    near = _towards(standing)
    if near[0]:
        zh, en = f"最近的是{near[0]}；{zh}", f"nearest to {near[1]}; {en}"
    steps = standing.shanten
    if steps < _NEVER:
        away = "1 exchange" if steps == 1 else f"{steps} exchanges"
        zh, en = f"差 {steps} 张听牌，{zh}", f"{away} from ready, {en}"
    return zh + bare_zh, en + bare_en


def headline(advice: Advice) -> Reason:
    """What to do, in one sentence with its reason."""
    if advice.win is not None and advice.win.win:
        win = advice.win
        fans = " and ".join(f"{line.zh} {line.en}" for line in win.fans)
        how = f"：{win.arithmetic}" if "=" in win.arithmetic else ""
        later_zh, later_en = _later(advice)
        return Reason(
            "win",
            f"现在就能和：{win.title}，{win.fan} 番{how}{later_zh}",
            f"Declare the win now: {fans}, {win.fan} fan{how.replace('：', ': ')}{later_en}",
        )
    if advice.standing is not None:
        zh, en = standing_words(advice.standing, advice)
        return Reason("wait", zh, en[0].upper() + en[1:])
    best = advice.best
    if best is None:
        return Reason(
            "only_jokers",
            "手里全是混儿，没有牌可打",
            "Every tile is a joker, and none may be discarded",
        )
    reason = discard_reason(advice, best)
    zh, en = _tile(best.tile)
    prefix = _no_win_words(advice)
    return Reason(
        "discard",
        f"{prefix[0]}打{zh}：{reason.zh}",
        f"{prefix[1]}Discard {en}: {reason.en}",
    )


def _later(advice: Advice) -> Words:
    """A discard after which one draw is worth more on average than the win there is."""
    best = advice.best
    if best is None or advice.win is None or best.standing.expected <= advice.win.fan:
        return "", ""
    zh, en = _tile(best.tile)
    worth = f"{best.standing.expected:.2f}"
    return (
        f"。若不和而打{zh}，下一抓平均 {worth} 番，但要别家不先和",
        f". Discarding {en} instead makes the next draw worth {worth} fan on average, "
        "if nobody wins before it",
    )


def _no_win_words(advice: Advice) -> Words:
    if advice.win is not None and advice.win.complete:
        zh = "；".join(reason.zh for reason in advice.win.reasons)
        en = "; ".join(reason.en for reason in advice.win.reasons)
        return f"四副一对齐了，但不能和（{zh}）。", f"Complete, but no win ({en}). "
    return "", ""


def discard_reason(advice: Advice, discard: Discard) -> Reason:
    """Where a discard leaves the hand, and what it keeps or gives up against the others."""
    zh, en = standing_words(discard.standing, advice)
    best = advice.best
    if best is not None and best is not discard:
        against = _against_best(discard, best)
        code = "worse"
    else:
        against = _gives_up(advice, discard)
        code = "best"
    for more_zh, more_en in against:
        zh, en = f"{zh}；{more_zh}", f"{en}; {more_en}"
    return Reason(code, zh, en)


def _against_best(discard: Discard, best: Discard) -> list[Words]:
    mine, other = discard.standing, best.standing
    zh, en = _tile(best.tile)
    words: list[Words] = []
    if mine.shanten > other.shanten:
        slower = mine.shanten - other.shanten
        if slower < _NEVER:
            words.append((f"比打{zh}慢 {slower} 步", f"{slower} slower than discarding {en}"))
        else:
            words.append((f"打{zh}还有路", f"discarding {en} still has a way"))
    elif mine.shanten == 0 and mine.score < other.score:
        words.append(
            (
                f"平均每抓 {mine.expected:.2f} 番，打{zh}是 {other.expected:.2f}",
                f"{mine.expected:.2f} fan a draw against {other.expected:.2f} after {en}",
            )
        )
    elif mine.left < other.left:
        words.append(
            (
                f"有用的牌比打{zh}少 {other.left - mine.left} 张",
                f"{_tiles(other.left - mine.left)} fewer to help than after {en}",
            )
        )
    lost = _further(mine, other)
    if lost:
        names = _and([_name(fan) for fan in lost])
        words.append((f"离{names[0]}更远", f"further from {names[1]}"))
    return words


def _further(mine: Standing, other: Standing) -> list[Fan]:
    return [
        _BY_KEY[key]
        for key in _SAID
        if key in other.goals
        and mine.goals.get(key, 99) > other.goals[key]
        and other.goals[key] < 3
    ]


def _gives_up(advice: Advice, best: Discard) -> list[Words]:
    """What the advised discard costs: a dearer wait or a nearer fan another discard would keep."""
    rivals = advice.discards[1:]
    mine = best.standing
    if mine.shanten == 0:
        dearer = [rival for rival in rivals if rival.standing.best_fan > mine.best_fan]
        if not dearer:
            return []
        rival = max(dearer, key=lambda found: (found.standing.best_fan, found.standing.score))
        return [_dearer_rival(rival, mine)]
    lost: list[Fan] = []
    for rival in rivals:
        lost += [fan for fan in _further(mine, rival.standing) if fan not in lost]
    if not lost:
        return []
    names = _and([_name(fan) for fan in lost])
    return [(f"放弃了离{names[0]}更近的打法", f"gives up a shorter way to {names[1]}")]


def _dearer_rival(rival: Discard, mine: Standing) -> Words:
    """A rival whose best wait scores more, and why it is not advised all the same."""
    other = rival.standing
    top = max((wait for wait in other.waits if wait.left), key=lambda wait: (wait.fan, wait.left))
    own = {fan for wait in mine.waits if wait.left for fan in wait.fans}
    given_up = [fan for fan in top.fans if fan not in own]
    zh_names, en_names = _and([_name(fan) for fan in given_up or top.fans])
    zh_tile, en_tile = _tile(rival.tile)
    cost = other.best_fan - mine.best_fan
    return (
        f"放弃{zh_names}少 {cost} 番（打{zh_tile}最多 {other.best_fan} 番），"
        f"但和的牌 {mine.left} 张对 {other.left} 张，"
        f"平均每抓 {mine.expected:.2f} 番对 {other.expected:.2f}",
        f"giving up {en_names} costs {cost} fan (discarding {en_tile} can make {other.best_fan}), "
        f"but {mine.left} tiles win instead of {other.left}: "
        f"{mine.expected:.2f} fan a draw against {other.expected:.2f}",
    )


def pung_reason(
    tile: str,
    refused: tuple[Reason, ...],
    before: Standing,
    after: Advice | None,
    worth: bool,
) -> Reason:
    """Whether to 碰, in one sentence with its reason."""
    zh, en = _tile(tile)
    if refused or after is None or after.best is None:
        return Reason(
            "pung_refused",
            f"不能碰{zh}：" + "；".join(reason.zh for reason in refused),
            f"You may not 碰 {en}: " + "; ".join(reason.en for reason in refused),
        )
    best = after.best
    zh_out, en_out = _tile(best.tile)
    then_zh, then_en = standing_words(best.standing, after)
    now_zh, now_en = _short(before)
    if worth:
        return Reason(
            "pung",
            f"该碰{zh}，然后打{zh_out}：{then_zh}；不碰则{now_zh}",
            f"碰 {en}, then discard {en_out}: {then_en}; without it {now_en}",
        )
    return Reason(
        "pass",
        f"可以碰{zh}，但不值得：不碰{now_zh}；碰了打{zh_out}，{then_zh}",
        f"You may 碰 {en}, but it gains nothing: without it {now_en}; "
        f"after it and discarding {en_out}, {then_en}",
    )


def _short(standing: Standing) -> Words:
    if standing.shanten == 0:
        return (
            f"已经听牌，剩 {standing.left} 张，平均每抓 {standing.expected:.2f} 番",
            f"the hand is ready, {_tiles(standing.left)} left, {standing.expected:.2f} fan a draw",
        )
    return (
        f"差 {standing.shanten} 张听牌，有用的牌剩 {standing.left} 张",
        f"it is {standing.shanten} from ready with {_tiles(standing.left)} to help",
    )


_KONGS = {
    "concealed": ("暗杠", "a concealed kong of"),
    "added": ("补杠", "a kong by adding"),
    "open": ("明杠", "an open kong of"),
    "joker": ("混儿杠", "a kong of the joker"),
}


def kong_reason(
    kind: str,
    tile: str,
    refused: tuple[Reason, ...],
    points: int,
    before: Standing | None,
    after: Standing | None,
    replacement: tuple[int, float],
    worth: bool,
) -> Reason:
    """Whether to 杠, in one sentence with its reason.

    Args:
        replacement: copies left that win as the replacement tile, and its expected score.
    """
    (name_zh, name_en), (zh, en) = _KONGS[kind], _tile(tile)
    if refused or after is None:
        return Reason(
            "kong_refused",
            f"不能{name_zh}{zh}：" + "；".join(reason.zh for reason in refused),
            f"You may not make {name_en} {en}: " + "; ".join(reason.en for reason in refused),
        )
    then_zh, then_en = _short(after)
    copies, expected = replacement
    paid_zh = f"三家各付 {points} 分；杠后{then_zh}"
    paid_en = f"each of the others pays {points}; after it {then_en}"
    if copies:
        paid_zh += f"；补的牌有 {copies} 张能杠开，平均 {expected:.2f} 番"
        paid_en += (
            f"; {_tiles(copies)} would win as its replacement (杠开), worth {expected:.2f} fan"
        )
    if before is not None:
        now_zh, now_en = _short(before)
        paid_zh, paid_en = f"{paid_zh}；不杠则{now_zh}", f"{paid_en}; without it {now_en}"
    elif not worth:
        paid_zh, paid_en = f"{paid_zh}；可现在就能和", f"{paid_en}; but the drawn tile wins now"
    if worth:
        return Reason("kong", f"该{name_zh}{zh}：{paid_zh}", f"Make {name_en} {en}: {paid_en}")
    return Reason(
        "no_kong",
        f"可以{name_zh}{zh}，但不值得：{paid_zh}",
        f"You may make {name_en} {en}, but should not: {paid_en}",
    )
