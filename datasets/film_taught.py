"""A reader that was taught a film's tile set, as the owner of an unusual set would teach it.

One photo shows each of the 34 kinds once, in the order the page asks for; then the film is watched.
The photo is another one than any frame: other light, another camera, other places on the table.
"""

from __future__ import annotations

from datasets.film import Film
from datasets.odd_sets import laid_out
from datasets.scene_types import FACES, Pixels
from vision.calibration import TileSet, gather, teach
from vision.calibration.chooser import SetChooser
from vision.classifier import TileSets
from vision.photo import Photo
from vision.reader import Reader

NAME = "film"


def guided_photo(film: Film) -> Pixels:
    """The calibration photo of a film's tile set (BGR); the same for the same film."""
    return laid_out(film.tile_set, seed=film.seed).image


def teach_film(film: Film, reader: Reader) -> TileSet:
    """What `reader` learns from the photo, nothing else being taught to it.

    Args:
        film: Whose tile set.
        reader: Without taught sets.

    Raises:
        CalibrationError: The photo will not do; every reason is given.
    """
    examples = gather(reader, Photo(guided_photo(film), NAME), FACES)
    # Its names are right: nobody has to look at them again.
    return teach(NAME, examples, reader.classifier, insist=True)


def recogniser(tile_set: TileSet) -> TileSets:
    """For the reader of a film: the set is stored, and must be recognised on the table."""
    return SetChooser((tile_set,), None).following()
