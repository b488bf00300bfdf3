"""A scored photo in words, for somebody who is learning the game."""

from __future__ import annotations

from collections.abc import Iterable

from rules import Group, Judgement, Placed, tile_name
from server.language import say
from server.score_photo import Score
from vision.values import MeldReading

FORMS = {
    "run": ("顺子", "run"),
    "triplet": ("刻子", "triplet"),
    "pair": ("对子", "pair"),
    "pong": ("碰", "pong"),
    "gang_open": ("明杠", "open gang"),
    "gang_concealed": ("暗杠", "concealed gang"),
}
MOST_DOUBTS = 8
# Said in the result itself, or of no use to somebody who reads text.
UNSAID = ("drawn_unknown",)


def describe(score: Score, lang: str) -> list[str]:
    """The lines to print."""
    lines = [*_the_hand(score, lang), ""]
    if score.reasons:
        lines.append(say(lang, "这手牌无法计算：", "This hand cannot be judged:"))
        lines += [f"  - {say(lang, reason.zh, reason.en)}" for reason in score.reasons]
        lines.append(
            say(
                lang,
                "  请把手牌排成一排、碰杠的牌放开一些，正对着重拍。",
                "  Put the hand in one row with the exposed sets apart, and take it straight on.",
            )
        )
    elif score.waits is not None:
        lines += _the_waits(score.waits, lang)
    elif score.judgement:
        lines += _the_judgement(score.judgement, lang)
    else:
        lines += _the_candidates(score, lang)
    return lines + _the_doubts(score, lang)


def tiles_text(tiles: Iterable[str], lang: str) -> str:
    """Tiles by name in Chinese, by code in English: codes are shorter there."""
    if lang == "zh":
        return " ".join(tile_name(tile, "zh") for tile in tiles)
    return " ".join(tiles)


def tile_text(tile: str, lang: str) -> str:
    """One tile by name and code."""
    return f"{tile_name(tile, lang)}（{tile}）" if lang == "zh" else f"{tile} {tile_name(tile)}"


def _the_hand(score: Score, lang: str) -> list[str]:
    hand = score.hand
    lines = [say(lang, "手牌：", "Hand:    ") + (tiles_text(hand.concealed, lang) or "-")]
    if hand.win_tile:
        lines.append(say(lang, "刚摸：", "Drawn:   ") + tile_text(hand.win_tile, lang))
    for meld in score.table.melds:
        lines.append(say(lang, "副露：", "Exposed: ") + _meld_text(meld, lang))
    if hand.jokers:
        lines.append(say(lang, "混儿：", "Jokers:  ") + tiles_text(hand.jokers, lang))
    else:
        lines.append(
            say(
                lang,
                "混儿：没有给出（按没有混儿算；用 --indicator 给出翻开的牌，例如 --indicator 5m）",
                "Jokers:  none given (name the turned tile with --indicator, "
                "for example --indicator 5m)",
            )
        )
    return lines


def _meld_text(meld: MeldReading, lang: str) -> str:
    zh, en = FORMS[meld.kind]
    return say(lang, f"{zh} {tile_name(meld.tile, 'zh')}", f"{en} of {meld.tile}")


def _the_waits(waits: dict[str, int], lang: str) -> list[str]:
    if not waits:
        return [
            say(
                lang,
                "还没有听牌：摸哪一张都和不了。",
                "Not ready yet: no tile would make this hand win.",
            )
        ]
    lines = [
        say(lang, f"听 {len(waits)} 种牌，自摸得：", f"Waits for {len(waits)} tile(s); drawing:")
    ]
    for fan in sorted(set(waits.values()), reverse=True):
        tiles = [tile for tile, worth in waits.items() if worth == fan]
        names = say(lang, "任意一张牌", "any tile") if len(tiles) == 34 else tiles_text(tiles, lang)
        lines.append(say(lang, f"  {fan} 番：{names}", f"  {fan} fan: {names}"))
    return lines


def _the_judgement(judgement: Judgement, lang: str) -> list[str]:
    if not judgement.win:
        lines = [say(lang, "不能和：", "Not a win:")]
        lines += [f"  - {say(lang, reason.zh, reason.en)}" for reason in judgement.reasons]
        if not judgement.complete:
            return lines
    else:
        name = say(lang, judgement.title, f"{judgement.title_en} ({judgement.title})")
        lines = [
            say(lang, f"和了！{name}，{judgement.fan} 番", f"A win! {name}: {judgement.fan} fan")
        ]
    lines += _the_sum(judgement, lang)
    return lines


def _the_sum(judgement: Judgement, lang: str) -> list[str]:
    lines = []
    for fan in judgement.fans:
        sign = f"{fan.operation}{fan.factor}"
        lines.append(f"  {say(lang, fan.zh, f'{fan.en} ({fan.zh})')} {sign}")
    if judgement.arithmetic:
        lines.append(say(lang, "  算式：", "  Sum: ") + judgement.arithmetic)
    if judgement.reading:
        lines.append(say(lang, "  牌这样组成：", "  The tiles as sets:"))
        lines += [f"    {_group_text(group, lang)}" for group in judgement.reading.groups]
    return lines


def _group_text(group: Group, lang: str) -> str:
    zh, en = FORMS.get(group.form, (group.form, group.form))
    return f"{say(lang, zh, f'{en:9s}')} " + " ".join(_placed_text(p, lang) for p in group.tiles)


def _placed_text(placed: Placed, lang: str) -> str:
    text = tiles_text([placed.tile], lang)
    notes = []
    if placed.joker and placed.stands_for != placed.tile:
        stands = tiles_text([placed.stands_for], lang)
        notes.append(say(lang, f"混儿当{stands}", f"joker as {stands}"))
    elif placed.joker:
        notes.append(say(lang, "混儿", "joker"))
    if placed.drawn:
        notes.append(say(lang, "刚摸", "drawn"))
    return text + (say(lang, f"（{'，'.join(notes)}）", f"({', '.join(notes)})") if notes else "")


def _the_candidates(score: Score, lang: str) -> list[str]:
    wins = {tile: j for tile, j in score.candidates.items() if j.win}
    if not wins:
        first = next(iter(score.candidates.values()))
        best = max(score.candidates.values(), key=lambda j: j.fan, default=first)
        return _the_judgement(best, lang)
    lines = [
        say(
            lang,
            "照片上没有单放的牌。如果刚摸的是：",
            "No tile is set apart in the photo. If the drawn tile is:",
        )
    ]
    for tile, found in score.candidates.items():
        worth = say(lang, f"{found.fan} 番", f"{found.fan} fan")
        title = say(lang, found.title, f"{found.title_en} ({found.title})")
        text = f"{worth}  {title}" if found.win else say(lang, "不能和", "not a win")
        lines.append(f"  {tile_text(tile, lang)}: {text}")
    top = max(wins.values(), key=lambda j: j.fan)
    lines.append(say(lang, f"最高 {top.fan} 番：", f"The best, {top.fan} fan:"))
    lines += _the_sum(top, lang)
    lines.append(
        say(
            lang,
            "（用 --drawn 5m 说明刚摸的牌，或把那张牌单放后重拍。）",
            "(Name the drawn tile with --drawn 5m, or set it apart and take the photo again.)",
        )
    )
    return lines


def _the_doubts(score: Score, lang: str) -> list[str]:
    known = ("indicator_candidate",) if score.hand.jokers else ()
    doubts = [doubt for doubt in score.table.doubts if doubt.code not in (*UNSAID, *known)]
    held = {tile.index for tile in score.table.used}
    notes = [
        say(lang, note.zh, note.en)
        for note in score.reading.notes
        if not note.tiles or not held.isdisjoint(note.tiles)
    ]
    said = [say(lang, doubt.zh, doubt.en) for doubt in doubts[:MOST_DOUBTS]]
    if len(doubts) > MOST_DOUBTS:
        more = len(doubts) - MOST_DOUBTS
        said.append(say(lang, f"还有 {more} 处存疑。", f"{more} more doubts."))
    if not said and not notes:
        return []
    return ["", say(lang, "请核对：", "Please check:"), *(f"  - {t}" for t in (*said, *notes))]
