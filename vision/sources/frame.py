"""What a source gives: one picture, and the frame it becomes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LEAST_SIDE = 32


@dataclass(frozen=True, eq=False)
class Picture:
    """One picture as a grabber hands it over.

    Attributes:
        pixels: height x width x 3, uint8, BGR, upright.
        taken: Monotonic seconds at which it was taken, where the source knows better than the
            moment it was handed over (a picture that waited in a queue); else None.
        position: Seconds from the beginning of a recording; None for a live source.
    """

    pixels: np.ndarray
    taken: float | None = None
    position: float | None = None


@dataclass(frozen=True, eq=False)
class Frame:
    """One frame of a source; its pixels are shared and read-only.

    Attributes:
        pixels: height x width x 3, uint8, BGR, upright, not writeable.
        at: Monotonic seconds at which it was taken; only differences mean anything.
        wall: The time of day it was taken, in Unix seconds, for people and files.
        source: Name of its source.
        sequence: 1 for the first frame of a reader, then counting up without gaps.
        position: Seconds from the beginning of a recording; None for a live source.
    """

    pixels: np.ndarray
    at: float
    wall: float
    source: str
    sequence: int
    position: float | None = None

    @property
    def width(self) -> int:
        """Pixels across."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Pixels down."""
        return int(self.pixels.shape[0])


def is_picture(thing: object) -> bool:
    """Whether `thing` is a `Picture` that holds what it must: uint8 BGR, sides of 32 or more."""
    if not isinstance(thing, Picture) or not isinstance(thing.pixels, np.ndarray):
        return False
    pixels = thing.pixels
    return (
        pixels.dtype == np.uint8
        and pixels.ndim == 3
        and pixels.shape[2] == 3
        and min(pixels.shape[:2]) >= LEAST_SIDE
    )


def shared(pixels: np.ndarray) -> np.ndarray:
    """A view of `pixels` that no reader of the frame can write to."""
    view = pixels.view()
    view.flags.writeable = False
    return view
