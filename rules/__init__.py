"""Tianjin mahjong (天津麻将), pure: tiles, jokers, hands, options; no I/O and no third party."""

from rules.answer import answer
from rules.explain import FanLine, Judgement
from rules.fans import BARE, FANS, Fan
from rules.guo import Guo
from rules.hand import MELD_KINDS, Hand, HandError, Meld, check_hand, hand_problems
from rules.jokers import JOKER_RULES, joker_kinds, joker_tile_count, next_tile, prev_tile
from rules.judging import judge, waits
from rules.opening import Opening
from rules.options import OPTIONS, PRESETS, OptionError, RuleOptions
from rules.reading import Group, Placed, Reading
from rules.reasons import Reason, RequestError, RulesError
from rules.round import IllegalEvent, Round, Setup
from rules.seating import draw_winds, east_seat
from rules.settlement import Gang, HandResult, Settlement, settle
from rules.tiles import (
    KINDS,
    TILES,
    TileError,
    format_tiles,
    parse_tiles,
    tile_name,
    tile_unicode,
)

__all__ = [
    "BARE",
    "FANS",
    "JOKER_RULES",
    "KINDS",
    "MELD_KINDS",
    "OPTIONS",
    "PRESETS",
    "TILES",
    "Fan",
    "FanLine",
    "Gang",
    "Group",
    "Guo",
    "Hand",
    "HandError",
    "HandResult",
    "IllegalEvent",
    "Judgement",
    "Meld",
    "Opening",
    "OptionError",
    "Placed",
    "Reading",
    "Reason",
    "RequestError",
    "Round",
    "RuleOptions",
    "RulesError",
    "Settlement",
    "Setup",
    "TileError",
    "answer",
    "check_hand",
    "draw_winds",
    "east_seat",
    "format_tiles",
    "hand_problems",
    "joker_kinds",
    "joker_tile_count",
    "judge",
    "next_tile",
    "parse_tiles",
    "prev_tile",
    "settle",
    "tile_name",
    "tile_unicode",
    "waits",
]
