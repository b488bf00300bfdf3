"""Where the general classifier's word stands against what was taught.

A few examples may teach too much: one that lies askew is a poor picture of its kind, and a kind
that looks like it wins by far. So the looks at the examples also say how far the general
classifier can be believed about this set, name by name: where it is sure of a name, and has been
right whenever it was so sure, what was taught may not rename the tile. In a set of which it reads
some kinds wrongly its word stands for none: what was read well in one light may be as odd as the
others in the next.
"""

from __future__ import annotations

import numpy as np

from vision.calibration.head import FACE_COUNT, Views
from vision.classifier import SURE

# Of a name's sure looks at least so many must be right, at most this share may be wrong, and none
# of the undisguised ones: found with two seeds of rendered odd sets and three real ones.
LEAST_RIGHT, MOST_WRONG = 3, 0.1
# The general classifier reads a set well from this share of its undisguised looks on, and of the
# disguised ones: worn print is lost in any other light (`choice`).
READS_WELL, READS_DISGUISED = 0.95, 0.7


def believed_names(views: Views, plain: float, disguised: float) -> tuple[int, ...]:
    """The faces that the general classifier was right about whenever it was sure of them.

    Args:
        views: Looks at the examples.
        plain: The share of the undisguised ones that it names rightly.
        disguised: The same of the others.
    """
    if plain < READS_WELL or disguised < READS_DISGUISED:
        return ()
    named = views.answers.argmax(axis=1)
    sure = views.answers.max(axis=1) >= SURE
    right = named == views.labels
    undisguised = views.families < 0
    found = []
    for kind in range(FACE_COUNT):
        here = sure & (named == kind)
        wrong = int((here & ~right).sum())
        if (
            int((here & right).sum()) >= LEAST_RIGHT
            and wrong <= MOST_WRONG * int(here.sum())
            and not (here & undisguised & ~right).any()
        ):
            found.append(kind)
    return tuple(found)


def standing(general: np.ndarray, believed: tuple[int, ...]) -> np.ndarray:
    """Which of the general classifier's answers (n x classes, to upright looks) are not to be
    changed, where its sure word is believed for these faces; n booleans.
    """
    sure = general.max(axis=1, initial=0) >= SURE
    return np.asarray(sure & np.isin(general.argmax(axis=1), believed))
