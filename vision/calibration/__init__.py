"""One photo teaches the reader a tile set.

examples = gather(reader, photos, labels)      # advice in words when a photo will not do
tile_set = teach("kitchen set", examples, reader.classifier)
TileSetLibrary(folder).add(tile_set)
Reader(tile_sets=TileSetLibrary(folder).chooser(...))
"""

from vision.calibration.advice import check_examples, missing_kinds
from vision.calibration.errors import CalibrationError, Reason
from vision.calibration.examples import Example, gather, tile_boxes
from vision.calibration.library import TileSetLibrary, key_of
from vision.calibration.teach import add_examples, refit, teach
from vision.calibration.tile_set import TileSet, load_tile_set

__all__ = [
    "CalibrationError",
    "Example",
    "Reason",
    "TileSet",
    "TileSetLibrary",
    "add_examples",
    "check_examples",
    "gather",
    "key_of",
    "load_tile_set",
    "missing_kinds",
    "refit",
    "teach",
    "tile_boxes",
]
