"""Where the camera stands, and what a place on the table means.

`Placement` says how the table lies in the picture; `assign` gives each tile its role and seat.
"""

from vision.table.assign import assign
from vision.table.guess import guess_placement
from vision.table.placed import PlacedTile
from vision.table.placement import Placement, PlacementError, PlacementStore
from vision.table.plane import Plane

__all__ = [
    "PlacedTile",
    "Placement",
    "PlacementError",
    "PlacementStore",
    "Plane",
    "assign",
    "guess_placement",
]
