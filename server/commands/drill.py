"""`zhuowu drill`: questions about the game with answers and reasons, in the terminal."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from itertools import islice

import click

from rules import format_tiles
from rules.drills import KINDS_OF_LEVEL, Drill, drills
from rules.example_words import judgement_words
from rules.examples import worked_examples
from rules.reasons import RulesError
from server.hand_text import refused
from server.language import LANG_OPTION, language, say

_KINDS = sorted({kind for kinds in KINDS_OF_LEVEL.values() for kind in kinds})


@click.command(name="drill")
@click.option(
    "--level",
    type=click.IntRange(1, 3),
    default=1,
    show_default=True,
    help="1: one fan at a time; 2: combinations, payments; 3: discards, 坐庄 拉庄.",
)
@click.option(
    "--seed", type=int, help="The same seed asks the same questions; by default chance decides."
)
@click.option(
    "--count", type=click.IntRange(1), default=5, show_default=True, help="How many questions."
)
@click.option("--kind", type=click.Choice(_KINDS), help="Only questions of this kind.")
@click.option(
    "--examples", is_flag=True, help="No questions: a worked hand for every fan and combination."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a question or example.")
@LANG_OPTION
def command(
    level: int,
    seed: int | None,
    count: int,
    kind: str | None,
    examples: bool,
    as_json: bool,
    lang: str,
) -> None:
    """Ask about hands, waits, discards, payments and the wall.

    In a terminal each question waits for your answer; otherwise questions are printed with their
    answers.
    """
    lang = language(lang)
    used = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    if examples:
        _print_examples(seed or 0, as_json, lang)
        return
    try:
        questions = islice(drills(used, level, kind), count)
        if as_json:
            for question in questions:
                click.echo(json.dumps(question.to_json(), ensure_ascii=False))
        elif _at_terminal():
            _ask_all(questions, used, level, lang)
        else:
            for question in questions:
                click.echo("\n".join([*_question(question, lang), *_answer(question, lang), ""]))
    except RulesError as error:
        raise refused(error, lang) from None


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _print_examples(seed: int, as_json: bool, lang: str) -> None:
    for example in worked_examples(seed):
        topic, made = example.topic, example.made
        if as_json:
            click.echo(json.dumps(example.to_json(), ensure_ascii=False))
            continue
        hand = made.hand
        tiles = format_tiles(hand.concealed)
        melds = " ".join(format_tiles(meld.tiles) for meld in hand.melds)
        why = judgement_words(made.judgement)
        drawn = say(lang, f"抓 {hand.win_tile}", f"drawn {hand.win_tile}")
        turned = say(lang, f"翻 {made.indicator}", f"turned {made.indicator}")
        fan = say(lang, f"{topic.fan} 番", f"{topic.fan} fan")
        head = f"{topic.zh}  {fan}  “{topic.source}”"
        shown = "  ".join(part for part in (tiles, melds, drawn, turned) if part)
        click.echo(f"{head}\n   {shown}\n   {say(lang, why.zh, why.en)}")


def _question(asked: Drill, lang: str) -> list[str]:
    lines = [f"{asked.number + 1}. {say(lang, asked.zh, asked.en)}"]
    lines += [f"   {choice.key}) {say(lang, choice.zh, choice.en)}" for choice in asked.choices]
    if asked.several:
        lines.append(say(lang, "   （可能不止一个）", "   (there may be more than one)"))
    return lines


def _answer(asked: Drill, lang: str) -> list[str]:
    reason = say(lang, asked.because.zh, asked.because.en).replace("\n", "\n   ")
    return [say(lang, f"   答案：{asked.answer}", f"   answer: {asked.answer}"), f"   {reason}"]


def _ask_all(questions: Iterator[Drill], seed: int, level: int, lang: str) -> None:
    """Ask each question and wait for letters; an empty line or the end of input stops."""
    right = asked_in_all = 0
    for asked in questions:
        click.echo("\n".join(_question(asked, lang)))
        given = _letters(asked, lang)
        if given is None:
            break
        asked_in_all += 1
        if given == asked.answer:
            right += 1
            click.echo(say(lang, "   对！", "   Right!"))
        else:
            click.echo(say(lang, "   不对。", "   Not so."))
        click.echo("\n".join([*_answer(asked, lang), ""]))
    zh = f"{asked_in_all} 题答对 {right} 题；再做一遍用 --level {level} --seed {seed}"
    en = f"{right} of {asked_in_all} right; the same again with --level {level} --seed {seed}"
    click.echo(say(lang, zh, en))


def _letters(asked: Drill, lang: str) -> str | None:
    """The letters typed, in order, asked for again until they fit; None to stop."""
    known = "".join(choice.key for choice in asked.choices)
    prompt = say(lang, "   你的答案（回车结束）", "   your answer (Enter stops)")
    while True:
        try:
            typed = click.prompt(prompt, default="", show_default=False)
        except click.Abort:
            return None
        letters = "".join(sorted(set(typed.lower()) - set(" ,，、")))
        if not letters:
            return None
        if set(letters) <= set(known) and (asked.several or len(letters) == 1):
            return letters
        click.echo(say(lang, f"   请写 {known} 中的字母", f"   type letters among {known}"))
