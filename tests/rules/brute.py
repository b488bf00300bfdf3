"""A slow second opinion: lay every reading of a hand out and score each by the book (SPEC §6-§9).

Written apart from the engine and sharing nothing with it: plain strings, plain recursion. It takes
the lowest tile that is not laid yet, tries every group it can lie in with every choice of joker or
own tile for the other places, and fills what is left with groups of jokers alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import prod

ALL = [f"{r}{s}" for s in "mps" for r in range(1, 10)] + [f"{r}z" for r in range(1, 8)]
RUNS = [tuple(f"{r + i}{s}" for i in range(3)) for s in "mps" for r in range(1, 8)]
ORDER = ["天和", "地和", "杠开", "没混儿", "素的", "混儿吊", "双混儿吊", "捉伍儿", "本混儿", "龙"]
PREFER = ["本混儿", "龙", "捉伍儿", "双混儿吊", "混儿吊", "没混儿", "素的"]

# A group is a tuple of (kind it counts as, "joker" or "own").
Group = tuple[tuple[str, str], ...]


def groups_with(tile: str, sets: int, pair: int) -> Iterator[tuple[str, ...]]:
    """The shapes that hold a tile."""
    if pair:
        yield (tile, tile)
    if sets:
        yield (tile, tile, tile)
        for run in RUNS:
            if tile in run:
                yield run


def fillings(shape: tuple[str, ...], tile: str, own: Counter, jokers: int) -> Iterator[Group]:
    """The ways to fill a shape in which `tile` itself lies, the other places own or joker."""
    ways: set[Group] = set()

    def fill(i: int, done: Group, left: Counter, jok: int, used: bool) -> None:
        if i == len(shape):
            if used:
                ways.add(tuple(sorted(done)))
            return
        kind = shape[i]
        if left[kind]:
            fill(i + 1, (*done, (kind, "own")), left - Counter([kind]), jok, used or kind == tile)
        if jok:
            fill(i + 1, (*done, (kind, "joker")), left, jok - 1, used)

    fill(0, (), own, jokers, False)
    yield from ways


def joker_only(jokers: int, sets: int, pair: int, kinds: list[str]) -> Iterator[tuple[Group, ...]]:
    """Groups of jokers alone.

    All shapes that any fan could tell apart: runs of a dragon (4-5-6m among them), whatever shows
    the jokers' own kinds, and one triplet and one pair for all the rest.
    """
    if 3 * sets + 2 * pair != jokers:
        return
    shapes = [run for run in RUNS if run[0][0] in "147" or set(run) <= set(kinds)]
    shapes += [(kind,) * 3 for kind in dict.fromkeys([*kinds, "1z"])]
    pairs = [(kind,) * 2 for kind in dict.fromkeys([*kinds, "1z"])] if pair else [()]
    for chosen in combinations_with_replacement(shapes, sets):
        for two in pairs:
            laid = [*chosen, two] if two else [*chosen]
            yield tuple(tuple((kind, "joker") for kind in shape) for shape in laid)


def readings(own: Counter, jokers: int, sets: int, kinds: list[str]) -> set[tuple[Group, ...]]:
    """Every way to lay tiles and jokers as sets and one pair, each once."""
    found: set[tuple[Group, ...]] = set()
    seen = set()

    def lay(own: Counter, jokers: int, sets: int, pair: int, done: tuple[Group, ...]) -> None:
        done = tuple(sorted(done))
        if done in seen:
            return
        seen.add(done)
        tile = next((kind for kind in ALL if own[kind]), None)
        if tile is None:
            for rest in joker_only(jokers, sets, pair, kinds):
                found.add(tuple(sorted(done + rest)))
            return
        for shape in groups_with(tile, sets, pair):
            for group in fillings(shape, tile, own, jokers):
                used = Counter(kind for kind, by in group if by == "own")
                lay(
                    own - used,
                    jokers - sum(by == "joker" for _, by in group),
                    sets - (len(shape) == 3),
                    pair - (len(shape) == 2),
                    (*done, group),
                )

    lay(own, jokers, sets, 1, ())
    return found


DEFAULTS = {
    "min_fan": 2,
    "mei_hun_fan": 2,
    "hundiao_alone": True,
    "heavenly_fan": 4,
    "earthly_fan": 4,
    "heaven_stack": "multiply",
    "heavenly_free_last": False,
    "su_mode": "no_jokers",
    "shuang_outside_dragon": True,
    "joker_gang_points": 0,
    "joker_gang_kills_meihun": True,
}
GUADAFENG = {"hundiao_alone": False, "mei_hun_fan": 4, "heavenly_fan": 0}


def settle_options(given: dict) -> dict:
    """The options in force."""
    preset = GUADAFENG if given.get("preset") == "guadafeng" else {}
    return DEFAULTS | preset | {k: v for k, v in given.items() if k in DEFAULTS}


def judge(hand: dict, given: dict | None = None) -> dict:
    """Judge a hand: `concealed`, `melds` [(kind, tile)], `jokers`, `win_tile`, flags as keys."""
    options = settle_options(given or {})
    win = hand["win_tile"]
    tiles = [*hand["concealed"], *([win] if win else [])]
    joker_tiles = [t for t in tiles if t in hand["jokers"]]
    own = Counter(t for t in tiles if t not in hand["jokers"])
    laid = readings(own, len(joker_tiles), 4 - len(hand["melds"]), joker_tiles)
    if not laid or not hand.get("self_draw", True):
        return {"win": False, "complete": bool(laid), "fan": 0, "names_alt": []}
    lasts = [win]
    if hand.get("heavenly") and options["heavenly_free_last"]:
        lasts = sorted(set(tiles))
    scored: list[tuple[int, tuple[str, ...]]] = []
    alone = False
    for reading in laid:
        for last in lasts:
            for names in names_of(reading, last, hand, options, joker_tiles):
                if not options["hundiao_alone"] and names in (("混儿吊",), ("双混儿吊",)):
                    alone, names = True, ()
                scored.append((total(names, options), names or ("屁和",)))
    best = max(points for points, _ in scored)
    alternatives = {names for points, names in scored if points == best}
    forbidden = alone and alternatives == {("屁和",)}
    ranked = sorted(alternatives, key=lambda a: [p in a for p in PREFER], reverse=True)
    return {
        "win": best >= options["min_fan"] and not forbidden,
        "complete": True,
        "fan": best,
        "names": ranked[0],
        "names_alt": ranked,
    }


def total(names: tuple[str, ...], options: dict) -> int:
    """SPEC §8.2 and §8.4."""
    added, times = [], []
    for name in names:
        if name in ("天和", "地和"):
            fan = options["heavenly_fan" if name == "天和" else "earthly_fan"]
            (added if options["heaven_stack"] == "add" else times).append(fan)
        elif name in ("捉伍儿", "龙"):
            added.append(3 if name == "捉伍儿" else 4)
        else:
            times.append(options["mei_hun_fan"] if name in ("没混儿", "素的") else 2)
    return (sum(added) or 1) * prod(times)


def names_of(
    reading: tuple[Group, ...], last: str | None, hand: dict, options: dict, joker_tiles: list[str]
) -> set[tuple[str, ...]]:
    """Every name list of one reading: one for each place the drawn tile can lie in."""
    runs = [tuple(kind for kind, _ in g) for g in reading if len({kind for kind, _ in g}) == 3]
    long_suits = [s for s in "mps" if all((f"{a}{s}") in [r[0] for r in runs] for a in (1, 4, 7))]
    gang = options["joker_gang_kills_meihun"] and any(t in hand["jokers"] for _, t in hand["melds"])
    common = []
    if hand.get("heavenly") and options["heavenly_fan"]:
        common.append("天和")
    if hand.get("earthly") and options["earthly_fan"]:
        common.append("地和")
    if hand.get("gang_draw"):
        common.append("杠开")
    if not joker_tiles and not gang:
        common.append("没混儿")
    if long_suits:
        common.append("龙")
        if any(t[1] in long_suits for t in hand["jokers"]):
            common.append("本混儿")
    shown = Counter(kind for g in reading for kind, by in g if by == "joker")
    face = options["su_mode"] != "no_jokers" and joker_tiles and not gang
    face = face and shown == Counter(joker_tiles)
    if last is None:
        lists = [common]
        if face:
            lists.append([*common, "素的"])
        return {in_order(names) for names in lists}
    lists = []
    by = "joker" if last in hand["jokers"] else "own"
    for group in set(reading):
        for place in set(group):
            if place[1] != by or (by == "own" and place[0] != last):
                continue
            others = list(group)
            others.remove(place)
            names = list(common)
            diao = all(filled == "joker" for _, filled in others)
            kinds = tuple(kind for kind, _ in group)
            if diao and len(group) == 2:
                names.append("混儿吊")
            elif diao:
                inside = (
                    kinds in runs
                    and kinds[0][1] in long_suits
                    and kinds[0][0] in "147"
                    and runs.count(kinds) == 1
                )
                if not (inside and options["shuang_outside_dragon"]):
                    names.append("双混儿吊")
            if kinds == ("4m", "5m", "6m") and place[0] == "5m":
                names.append("捉伍儿")
            lists.append(names)
            if face and (by == "own" or place[0] == last):
                with_diao = {"混儿吊", "双混儿吊"} & set(names)
                if with_diao and options["su_mode"] == "face_value":
                    lists.append([n for n in names if n not in with_diao] + ["素的"])
                else:
                    lists.append([*names, "素的"])
    return {in_order(names) for names in lists}


def in_order(names: list[str]) -> tuple[str, ...]:
    """SPEC §8.6."""
    return tuple(sorted(names, key=ORDER.index))
