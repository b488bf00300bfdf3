"""In words: which of several taught sets a photo shows is open."""

from __future__ import annotations

from collections.abc import Sequence

from vision.values import Note

WHICH_SET = "which_set"


def which_set(candidates: Sequence[str], chosen: str | None) -> tuple[Note, ...]:
    """What to tell whoever took the photo; nothing where nothing is open.

    Args:
        candidates: Names of the sets it may show, the likeliest first.
        chosen: The one it was read as; None: as tiles of no set.
    """
    if not candidates:
        return ()
    zh = "、".join(f"“{name}”" for name in candidates)
    en = " or ".join(f'"{name}"' for name in candidates)
    if chosen is None:
        zh = f"看不准是不是这副牌具：{zh}。先没按它读。"
        en = f"These may be the tiles of {en}, but that is not sure: they were read as of no set. "
    else:
        zh = f"分不清是哪副牌具：{zh}。先按“{chosen}”读。"
        en = f'These look like the tiles of {en}: they were read as those of "{chosen}". '
    return (
        Note(
            WHICH_SET,
            zh + "请说明是哪一副（页面上点一下，命令行用 zhuowu sets use）。",
            en + "Say which they are (with a tap on the page, or zhuowu sets use).",
        ),
    )
