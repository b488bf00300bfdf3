"""Which of a set's pictures are laid on a face closely, and in which ways, before it is enough."""

from __future__ import annotations

import numpy as np

# How many pictures and turns are fitted closely, the likeliest first: so many of one kind at most,
# of so many kinds at least, and so many ways to lie of the kinds that are likely anyhow.
TRIES, _OF_A_KIND, _KINDS, WAYS_OF_LIKELY = 16, 3, 8, 3
# And so many of the kind that was believed before another takes its name: its own place may look
# unlikely from afar, and it must not lose because it was never laid there.
WAYS_OF_BELIEVED = 12
# Where none of these fits, so many ways to lie of each picture are fitted, and drawn are so many of
# those that fit best: from afar a slanted or worn face looks like any other.
WAYS_OF_EACH, DRAWN = 3, 16
# A picture that fits so well (by pixel, a correlation of about 0.85) and so much better than those
# of all other kinds is the one.
_FITS, _BETTER = 0.7, 12.0


def settled(best: np.ndarray, spoke: np.ndarray, first: np.ndarray | None = None) -> bool:
    """Whether one picture fits well and much better than the others that were tried.

    Args:
        best: What speaks for each picture; NaN where it was not tried.
        spoke: By how many pixels.
        first: Mask of the pictures of which it must be one; none or all False: any.
    """
    order = np.argsort(np.nan_to_num(best, nan=-1.0))
    if first is not None and first.any() and not first[order[-1]]:
        return False
    likeliest, others = best[order[-1]], np.nan_to_num(best[order[:-1]])
    fits = likeliest >= _FITS * max(spoke[order[-1]], 1.0)
    return bool(fits and likeliest - others.max(initial=0.0) >= _BETTER)


def believed(
    fits: np.ndarray, likely: np.ndarray, ways: int = WAYS_OF_LIKELY
) -> list[tuple[int, int]]:
    """The likeliest ways to lie of the pictures in the mask."""
    return [
        (int(way), int(number))
        for number in np.flatnonzero(likely)
        for way in np.argsort(-fits[:, number], kind="stable")[:ways]
    ]


def promising(fits: np.ndarray, likely: np.ndarray) -> list[tuple[int, int]]:
    """Which ways to lie and pictures are fitted closely, the likeliest first.

    Args:
        fits: What coarse fits say, ways x pictures.
        likely: Mask of the pictures that are tried in any case.
    """
    chosen = believed(fits, likely)
    count = np.bincount([number for _, number in chosen], minlength=fits.shape[1])
    for at in np.argsort(-fits, axis=None, kind="stable"):
        if len(chosen) >= TRIES:
            break
        way, number = (int(v) for v in np.unravel_index(at, fits.shape))
        fresh = count[number] == 0 or (count > 0).sum() >= min(_KINDS, len(count))
        if count[number] < _OF_A_KIND and fresh and (way, number) not in chosen:
            chosen.append((way, number))
            count[number] += 1
    return chosen
