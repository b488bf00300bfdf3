"""`zhuowu advise`: win now, what to discard and why, what it waits for, whether to pung."""

from __future__ import annotations

import json

import click

from rules import Hand, RulesError, format_tiles, tile_name
from rules.advice import Advice, Standing, advise
from rules.advice_kong import KongAdvice, advise_open_kong
from rules.advice_pung import PungAdvice, advise_pung
from rules.claim import claim
from server.cli import UserError
from server.hand_text import (
    refused,
    typed_jokers,
    typed_melds,
    typed_options,
    typed_tile,
    typed_tiles,
)
from server.language import LANG_OPTION, language, say
from server.rule_option import RULE_OPTION


@click.command(name="advise")
@click.argument("tiles")
@click.option("--drawn", help="The drawn tile among TILES; by default the last one typed.")
@click.option("--after-pung", is_flag=True, help="No tile was drawn: you have just ponged.")
@click.option(
    "--melds",
    default="",
    help="Melds, such as '111z 2222p (3333s)': pung, open kong, and concealed kong in brackets.",
)
@click.option("--indicator", help="The turned tile 翻混牌, for example 5m.")
@click.option("--jokers", help="The joker kinds themselves, for example 5m6m.")
@click.option("--visible", default="", help="Tiles you see elsewhere: discards, others' melds.")
@click.option(
    "--discarded", help="A tile just discarded by another: may and should you pung or kong it?"
)
@click.option("--gang-draw", is_flag=True, help="The drawn tile replaced a kong (杠开).")
@RULE_OPTION
@click.option("--all", "show_all", is_flag=True, help="Show every discard, not the best five.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@LANG_OPTION
def command(
    tiles: str,
    drawn: str | None,
    after_pung: bool,
    melds: str,
    indicator: str | None,
    jokers: str | None,
    visible: str,
    discarded: str | None,
    gang_draw: bool,
    pairs: tuple[str, ...],
    show_all: bool,
    as_json: bool,
    lang: str,
) -> None:
    """Advise a player who holds TILES (14 tiles less 3 a meld, or 13 when waiting for a draw).

    Exits with 0, or with 2 when the hand is impossible or a tile is misspelt.
    """
    lang = language(lang)
    options = typed_options(pairs, lang)
    kinds = typed_jokers(indicator, jokers, options, lang)
    laid = typed_melds(melds, lang)
    concealed = list(typed_tiles(tiles, "TILES"))
    win_tile = None
    if len(concealed) % 3 == 2 and not after_pung:
        win_tile = typed_tile(drawn, "--drawn", lang) if drawn else concealed[-1]
        if win_tile not in concealed:
            zh, en = f"{win_tile} 不在手牌里", f"--drawn: {win_tile} is not among TILES; add it"
            raise UserError(say(lang, zh, en))
        # The drawn tile is the last of its kind typed.
        del concealed[len(concealed) - 1 - concealed[::-1].index(win_tile)]
    elif drawn:
        zh = "13 张牌里没有抓的牌；把它也写进手牌"
        en = "--drawn: these tiles wait for a draw; type the drawn tile among them too"
        raise UserError(say(lang, zh, en))
    hand = Hand(tuple(concealed), laid, kinds, win_tile, gang_draw=gang_draw)
    turned = typed_tile(indicator, "--indicator", lang) if indicator else None
    seen = typed_tiles(visible, "--visible")
    try:
        if discarded:
            tile = typed_tile(discarded, "--discarded", lang)
            claimed = claim(hand, tile, options, turned, seen)
            _print_claim(advise_pung(claimed), advise_open_kong(claimed), as_json, lang)
            return
        advice = advise(hand, options, turned, seen)
    except RulesError as error:
        raise refused(error, lang) from None
    if as_json:
        click.echo(json.dumps(advice.to_json(), ensure_ascii=False))
    else:
        click.echo("\n".join(_in_words(advice, lang, 34 if show_all else 5)))


def _print_claim(pung: PungAdvice, kong: KongAdvice, as_json: bool, lang: str) -> None:
    if as_json:
        claim = pung.to_json() | {"kong": kong.to_json()}
        click.echo(json.dumps(claim, ensure_ascii=False))
        return
    click.echo(say(lang, pung.reason.zh, pung.reason.en))
    if not kong.refused:
        click.echo(say(lang, kong.reason.zh, kong.reason.en))
    if pung.after is not None:
        click.echo("\n".join(_table(pung.after, lang, 5)))


def _in_words(advice: Advice, lang: str, rows: int) -> list[str]:
    lines = [say(lang, advice.headline.zh, advice.headline.en)]
    lines += [say(lang, kong.reason.zh, kong.reason.en) for kong in advice.kongs]
    lines.append("")
    lines += _table(advice, lang, rows)
    lines += _waits(advice.standing or (advice.best.standing if advice.best else None), lang)
    lines += _notes(advice, lang)
    return lines


def _table(advice: Advice, lang: str, rows: int) -> list[str]:
    """One line a discard: where it leaves the hand, and why it is better or worse."""
    lines = []
    for place, discard in enumerate(advice.discards[:rows], 1):
        reason = advice.reason(discard)
        zh = f"{place}. 打{tile_name(discard.tile)}：{reason.zh}"
        en = f"{place}. discard {discard.tile}: {reason.en}"
        lines.append(say(lang, zh, en))
    hidden = len(advice.discards) - rows
    if hidden > 0:
        zh, en = f"（还有 {hidden} 种打法，加 --all 全看）", f"({hidden} more; --all shows them)"
        lines.append(say(lang, zh, en))
    return lines


def _waits(standing: Standing | None, lang: str) -> list[str]:
    """Each wait with its score and what it makes, grouped by both."""
    if standing is None or not standing.waits:
        return []
    groups: dict[tuple[int, str, str], list[str]] = {}
    for wait in standing.waits:
        title_en = " + ".join(fan.en for fan in wait.fans)
        key = wait.fan, wait.outcome.title, title_en
        groups.setdefault(key, []).append(f"{wait.tile}×{wait.left}")
    lines = ["", say(lang, "听的牌（×剩几张）：", "Waits (× copies left):")]
    for (fan, zh, en), tiles in sorted(groups.items(), key=lambda item: -item[0][0]):
        lines.append(
            say(lang, f"  {fan} 番 {zh}：", f"  {fan} fan, {zh} ({en}): ") + " ".join(tiles)
        )
    return lines


def _notes(advice: Advice, lang: str) -> list[str]:
    """What the answer takes for granted."""
    lines = [""]
    jokers = format_tiles(advice.hand.jokers)
    if not advice.hand.jokers:
        zh = "没有给混儿；加 --indicator 翻出的牌，例如 --indicator 5m"
        en = "no jokers given; add the turned tile, such as --indicator 5m"
    elif advice.unseen.indicator is None:
        zh = f"混儿 {jokers}；不知道翻出的是哪张，没有从剩的张数里减去"
        en = f"jokers {jokers}; the turned tile is unknown and still counted as left"
    else:
        turned = advice.unseen.indicator
        zh, en = (
            f"混儿 {jokers}，翻出的是 {turned}",
            f"jokers {jokers}, the turned tile is {turned}",
        )
    lines.append(say(lang, zh, en))
    if advice.hand.win_tile is not None:
        drawn = advice.hand.win_tile
        zh = f"抓的牌是 {drawn}（不是的话用 --drawn 指明，刚碰完用 --after-pung）"
        en = f"drawn tile {drawn} (say --drawn for another, --after-pung when none was drawn)"
        lines.append(say(lang, zh, en))
    return lines
