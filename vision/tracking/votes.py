"""What a tile is, settled by many looks at it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.values import CLASSES, TileReading

INDEX = {name: k for k, name in enumerate(CLASSES)}
# Old looks fade a little with each new one, so that a wrong first impression does not last.
FADE = 0.85
FULL_LOOK = 0.25
SHOWN = 5


@dataclass(frozen=True, eq=False)
class Votes:
    """Weighted sum of the looks' probabilities.

    Attributes:
        shares: Sum over looks of weight times probability, one entry a class.
        weight: Sum of the weights.
        looks: How many looks.
    """

    shares: np.ndarray
    weight: float
    looks: int

    @classmethod
    def none(cls) -> Votes:
        """No look yet."""
        return cls(np.zeros(len(CLASSES)), 0.0, 0)

    def after(self, tile: TileReading, sharpness: float = 1.0) -> Votes:
        """With one more look.

        Args:
            tile: The look.
            sharpness: 0..1, how sharp it was compared with the best look at this tile.
        """
        weight = tile.confidence**2 * (0.2 + 0.8 * sharpness)
        # A look that says little makes the others fade as little.
        fade = 1 - (1 - FADE) * min(1.0, weight / FULL_LOOK)
        return Votes(
            self.shares * fade + weight * probabilities(tile),
            self.weight * fade + weight,
            self.looks + 1,
        )

    @property
    def probabilities(self) -> np.ndarray:
        """Class probabilities, summing to one where there was a look."""
        return self.shares / max(self.weight, 1e-9)

    @property
    def best(self) -> str:
        """The likeliest class."""
        return CLASSES[int(self.shares.argmax())]

    @property
    def confidence(self) -> float:
        """The likeliest class's share."""
        return float(self.probabilities.max(initial=0.0))

    def alternatives(self) -> tuple[tuple[str, float], ...]:
        """The likeliest classes with their shares, best first."""
        shares = self.probabilities
        order = np.argsort(-shares, kind="stable")[:SHOWN]
        return tuple((CLASSES[k], float(shares[k])) for k in order if shares[k] > 0.005)


def probabilities(tile: TileReading) -> np.ndarray:
    """A look as class probabilities; what the alternatives leave open is spread evenly."""
    shares = np.zeros(len(CLASSES))
    for name, p in tile.alternatives:
        if name in INDEX:
            shares[INDEX[name]] = p
    if shares.sum() <= 0:
        shares[INDEX[tile.tile]] = tile.confidence
    rest = 1 - float(shares.sum())
    if rest < 0:
        return np.asarray(shares / shares.sum())
    return np.asarray(shares + rest / len(CLASSES))
