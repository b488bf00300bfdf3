"""How a face may lie that fills a box of a known width and height.

A flat face seen from afar is a rectangle turned on its table, foreshortened along one direction and
seen at some size. Where the camera stands upright that direction is down, near the picture's rim it
leans. Of each turn and lean, the box's ratio says how strongly the face is foreshortened, and its
width how large it is. Seen aslant, a tile shows a side as well, which the box may or may not hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

# Turns on the table (a half turn more is a picture upside down), and leans; degrees. A tile that
# stands and is seen from its side is foreshortened across: only upright or lying on its side.
_TURNS, _LEANS, _STANDING = range(0, 180, 15), (0, 20, -20, 90, -90), (90, -90)
# A tile's height in widths of its face: left out of the box, or within it.
_BODIES = (0.0, 0.6)
_OPEN = np.exp(np.linspace(np.log(0.12), 0, 40))
# A pose whose box has another ratio than this (natural logarithm) is none for this box.
_MOST_OFF = 0.12
# From how open a face on its lean cannot be told.
_ROUND = 0.8
# What a pose is less likely for, natural logarithms: lying askew, and a leaning picture.
_ASKEW, _LEANING, _STRAIGHT = 1.5, 1.0, 20
_STEPS_A_RATIO = 24.0
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True, eq=False)
class Poses:
    """Ways to lie.

    Attributes:
        outlines: n x 4 x 2, the face's corners, clockwise from what is top left on the upright
            face or, half a turn on, bottom right; pixels from the box's middle.
        unlikely: n, how much less likely each is than lying straight; natural logarithms.
    """

    outlines: np.ndarray
    unlikely: np.ndarray


def poses_in(width: float, height: float, aspect: float) -> Poses:
    """The poses of a face of this aspect (length in widths) in a box, pixels."""
    ratio = round(float(np.log(height / width)) * _STEPS_A_RATIO)
    known = _in_ratio(ratio, round(aspect, 2))
    return Poses(known.outlines * width, known.unlikely)


@lru_cache(maxsize=256)
def _in_ratio(ratio: int, aspect: float) -> Poses:
    """The same for a box one wide."""
    wanted = ratio / _STEPS_A_RATIO
    found, unlikely = [], []
    for lean in _LEANS:
        for turn in _TURNS if lean not in _STANDING else range(0, 180, 90):
            for body in _BODIES:
                outlines, boxes = _seen(np.deg2rad(turn), np.deg2rad(lean), body, aspect)
                sides = np.ptp(boxes, axis=1)
                off = np.abs(np.log(sides[:, 1] / sides[:, 0]) - wanted)
                best = int(off.argmin())
                if off[best] > _MOST_OFF or (lean and _OPEN[best] > _ROUND):
                    continue
                middle = (boxes[best].min(axis=0) + boxes[best].max(axis=0)) / 2
                found.append((outlines[best] - middle) / sides[best, 0])
                askew = min(turn % 90, 90 - turn % 90) > _STRAIGHT
                unlikely.append(_ASKEW * askew + _LEANING * (lean != 0))
    return Poses(np.reshape(found, (-1, 4, 2)), np.array(unlikely))


def _seen(turn: float, lean: float, body: float, aspect: float) -> tuple[np.ndarray, np.ndarray]:
    """A face and its tile as seen, for each of `_OPEN`: n x 4 x 2 and n x 8 x 2."""
    on_table = (_CORNERS * (1, aspect)) @ _rotation(turn).T
    face = np.stack([on_table * (1, openness) for openness in _OPEN])
    down = np.stack([np.zeros(len(_OPEN)), body * np.sqrt(1 - _OPEN**2)], 1)
    tile = np.concatenate([face, face + down[:, None]], axis=1)
    how = _rotation(lean).T
    return face @ how, tile @ how


def _rotation(angle: float) -> np.ndarray:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
