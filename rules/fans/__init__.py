"""The 番, one small file each, in the order of name lists (SPEC §8.6)."""

from rules.fans import (
    bare,
    benhun,
    earthly,
    gang_draw,
    heavenly,
    hundiao,
    long,
    no_joker,
    shuang_hundiao,
    su,
    zhuowu,
)
from rules.fans.fan import Fan, View

FANS: tuple[Fan, ...] = (
    heavenly.FAN,
    earthly.FAN,
    gang_draw.FAN,
    no_joker.FAN,
    su.FAN,
    hundiao.FAN,
    shuang_hundiao.FAN,
    zhuowu.FAN,
    benhun.FAN,
    long.FAN,
)
"""Every fan but 屁和, in the order in which a name list gives them."""

BARE: Fan = bare.FAN
"""屁和, when none of the others holds."""

__all__ = ["BARE", "FANS", "Fan", "View"]
