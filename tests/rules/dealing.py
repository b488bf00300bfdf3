"""Random hands for the rule tests: built towards wins, any number of jokers, all options."""

from __future__ import annotations

import random
from typing import Any

ALL = [f"{r}{s}" for s in "mps" for r in range(1, 10)] + [f"{r}z" for r in range(1, 8)]

OPTION_SETS: list[dict[str, Any]] = [
    {},
    {"preset": "guadafeng"},
    {"preset": "guadafeng", "min_fan": 1},
    {"preset": "guadafeng", "su_mode": "face_value"},
    {"hundiao_alone": False, "min_fan": 1, "su_mode": "face_value_diao"},
    {"su_mode": "face_value"},
    {"su_mode": "face_value_diao"},
    {"shuang_outside_dragon": False},
    {"shuang_outside_dragon": False, "su_mode": "face_value_diao"},
    {"heaven_stack": "add"},
    {"heaven_stack": "add", "shuang_outside_dragon": False},
    {"heaven_stack": "add", "heavenly_fan": 8, "earthly_fan": 2, "su_mode": "face_value"},
    {"heavenly_free_last": True},
    {"heavenly_free_last": True, "su_mode": "face_value", "heaven_stack": "add"},
    {"heavenly_fan": 8, "earthly_fan": 0},
    {"min_fan": 1},
    {"min_fan": 3},
    {"mei_hun_fan": 4},
    {"joker_gang_points": 4},
    {"joker_gang_points": 8, "joker_gang_kills_meihun": False, "su_mode": "face_value"},
]


def joker_set(rng: random.Random) -> list[str]:
    """The jokers of some turned tile under some rule, worked out without the rules' own code."""
    suit, size = rng.choice("mmps"), rng.choice((2, 2, 3))
    case = rng.random()
    if case < 0.15:
        return ["1z", "2z", "3z", "4z"]
    if case < 0.25:
        first = rng.randrange(4)
        return [f"{(first + i) % 4 + 1}z" for i in range(size)]
    if case < 0.32:
        return ["5z", "6z", "7z"]
    first = rng.randrange(9)
    return [f"{(first + i) % 9 + 1}{suit}" for i in range(size)]


def deal(rng: random.Random, options: dict[str, Any], most_jokers: int = 14) -> dict[str, Any]:
    """One possible hand as the brute force takes it: keys as in the vectors, melds as pairs."""
    while True:
        hand = _try(rng, options, most_jokers)
        if hand is not None:
            return hand


def _try(rng: random.Random, options: dict[str, Any], most_jokers: int) -> dict[str, Any] | None:
    jokers = joker_set(rng)
    heaven = rng.choice(("heavenly", "earthly")) if rng.random() < 0.25 else ""
    if "heaven_stack" in options or "heavenly_free_last" in options or "heavenly_fan" in options:
        heaven = rng.choice(("heavenly", "heavenly", "earthly", ""))
    count = 0 if heaven else rng.choice((0, 0, 0, 1, 1, 2, 3, 4))
    left = dict.fromkeys(ALL, 4)
    melds = []
    for _ in range(count):
        tile = rng.choice(ALL)
        kind = rng.choice(("pong", "gang_open", "gang_concealed"))
        if tile in jokers:
            if not options.get("joker_gang_points"):
                return None
            kind = "gang_concealed"
        elif options.get("joker_gang_points") and rng.random() < 0.6:
            tile, kind = rng.choice(jokers), "gang_concealed"
        left[tile] -= 3 if kind == "pong" else 4
        melds.append((kind, tile))
    tiles = _built(rng, 4 - count)
    room = min(most_jokers, len(tiles), sum(max(0, left[t]) for t in jokers))
    wanted = min(rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 9, 11, 14)), room)
    rng.shuffle(tiles)
    if rng.random() < 0.85:
        tiles = [t for t in tiles if t not in jokers]
    kept = tiles[: 14 - 3 * count - wanted]
    spare = [t for t in jokers for _ in range(max(0, left[t] - kept.count(t)))]
    rng.shuffle(spare)
    kept += spare[: 14 - 3 * count - len(kept)]
    if len(kept) != 14 - 3 * count or any(kept.count(t) > left[t] for t in ALL):
        return None
    return _hand(rng, kept, melds, jokers, heaven)


def _hand(
    rng: random.Random, tiles: list[str], melds: list[Any], jokers: list[str], heaven: str
) -> dict[str, Any]:
    win_tile: str | None = rng.choice(tiles)
    if "5m" in tiles and rng.random() < 0.4:
        win_tile = "5m"
    if rng.random() < 0.3:
        win_tile = next((t for t in tiles if t in jokers), win_tile)
    rest = list(tiles)
    if rng.random() < 0.06:
        win_tile = None
    else:
        rest.remove(win_tile)
    gang = any(kind != "pong" for kind, _ in melds)
    return {
        "concealed": sorted(rest, key=ALL.index),
        "melds": melds,
        "jokers": jokers,
        "win_tile": win_tile,
        "gang_draw": gang and rng.random() < 0.5,
        "heavenly": heaven == "heavenly",
        "earthly": heaven == "earthly",
    }


def _built(rng: random.Random, sets: int) -> list[str]:
    """Tiles of sets and a pair, often of a dragon and a 4-5-6m, now and then spoiled."""
    tiles: list[str] = []
    if sets >= 3 and rng.random() < 0.45:
        suit = rng.choice("mmps")
        tiles += [f"{r}{suit}" for r in range(1, 10)]
        sets -= 3
    if sets and rng.random() < 0.35:
        tiles += ["4m", "5m", "6m"]
        sets -= 1
    for _ in range(sets):
        tile = rng.choice(ALL)
        if tile[1] != "z" and tile[0] < "8" and rng.random() < 0.7:
            tiles += [f"{int(tile[0]) + i}{tile[1]}" for i in range(3)]
        else:
            tiles += [tile] * 3
    tiles += [rng.choice(ALL)] * 2
    if rng.random() < 0.2:
        tiles[rng.randrange(len(tiles))] = rng.choice(ALL)
    return tiles
