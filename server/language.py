"""Which language the command line speaks."""

from __future__ import annotations

import os

import click

LANG_OPTION = click.option(
    "--lang",
    type=click.Choice(["auto", "zh", "en"]),
    default="auto",
    help="Language of the text: zh, en, or auto (from LC_ALL, LC_MESSAGES, LANG).",
)


def language(asked: str = "auto") -> str:
    """`"zh"` or `"en"`: as asked, else what the environment says, else English."""
    if asked in ("zh", "en"):
        return asked
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def say(lang: str, zh: str, en: str) -> str:
    """The sentence in `lang`."""
    return zh if lang == "zh" else en
