"""Comparing faces of a film at a pace that a film allows.

To lay a face on a set's pictures takes longer than to classify it, and most tiles of a table lie
still from look to look. So what was found of a face is remembered with a small grey picture of it,
and counts again for as long as the face looks the same; of faces that are new only a few are
compared in each look, the most doubtful first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from vision.opencv import cv2
from vision.values import FACES

AT_ONCE = 1
"""New faces compared in one look at a film: a third of the time that the look itself takes."""
_REMEMBERED = 300
_SIDE = 24
# No spot of a face that lies still differs by more than this share of the picture's contrast: a
# sensor's noise is averaged over a spot, and the light's flicker is the same everywhere and taken
# away. Another number of bars or dots differs by far more in a few spots.
_STILL = 0.1

Compare = Callable[[np.ndarray], np.ndarray]


class Memory:
    """What was found of the faces of one film; used by one thread at a time."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._known: deque[tuple[np.ndarray, np.ndarray]] = deque(maxlen=_REMEMBERED)

    def said(self, crops: np.ndarray, answers: np.ndarray, compare: Compare) -> np.ndarray:
        """What pictures say of faces, n x 34 + 1; zeros for a face whose turn has not come.

        Args:
            crops: n x side x side x 3, BGR, of the faces.
            answers: n x at least 34, so far.
            compare: Indices of faces to what pictures say of these.
        """
        said = np.zeros((len(crops), len(FACES) + 1))
        small = np.array([_small(crop) for crop in crops])
        fresh = []
        for row, picture in enumerate(small):
            found = self._recalled(picture)
            if found is None:
                fresh.append(row)
            else:
                said[row] = found
        sure = answers[fresh, : len(FACES)].max(axis=1, initial=0)
        rows = np.array(fresh, int)[np.argsort(sure, kind="stable")[:AT_ONCE]]
        if len(rows):
            said[rows] = compare(rows)
            self._known.extend((small[row], said[row]) for row in rows)
        return said

    def _recalled(self, picture: np.ndarray) -> np.ndarray | None:
        if not self._known:
            return None
        off = np.abs(np.stack([known for known, _ in self._known]) - picture).max(axis=1)
        best = int(off.argmin())
        return self._known[best][1] if off[best] <= _STILL * np.ptp(picture) else None


def _small(crop: np.ndarray) -> np.ndarray:
    grey = cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(small.ravel() - small.mean())
