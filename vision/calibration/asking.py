"""In words: which of several taught sets a photo shows is open, or may not be used yet."""

from __future__ import annotations

from collections.abc import Sequence

from vision.values import Note

WHICH_SET, STALE = "which_set", "set_stale"


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


def waits_for_fit(names: Sequence[str]) -> tuple[Note, ...]:
    """What to tell where sets that were taught with other models are not used; nothing for none."""
    if not names:
        return ()
    zh = "、".join(f"“{name}”" for name in names)
    en = ", ".join(f'"{name}"' for name in names)
    was, it_is = ("were", "they are") if len(names) > 1 else ("was", "it is")
    return (
        Note(
            STALE,
            f"识别模型更新了，牌具{zh}要重新学才能用，这次没有用上。请在“我的牌”里点“重新学”，"
            "或运行 zhuowu sets refit，不必重拍。",
            f"The models have changed since {en} {was} taught, so {it_is} not used. Press "
            '"Learn again" under "My tiles", or run zhuowu sets refit; no new photo is needed.',
        ),
    )
