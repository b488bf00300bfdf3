"""What the whole table says about each tile: four of a kind, and the user's word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.knowledge import COPIES, best_kinds
from vision.tracking.tracks import Track
from vision.tracking.votes import INDEX
from vision.values import BACK, FACES, TileReading

LEAST_CONFIDENCE = 0.6
LEAST_MARGIN = 0.25
# Of a die: where the pips that are counted and what the models say differ, it is not sure.
LEAST_DIE_MARGIN = 0.5
SURE = 0.999


def settle(tracks: Sequence[Track]) -> tuple[TileReading, ...]:
    """The tiles of one table: no kind five times, the user's corrections as they are.

    Tiles over four of a kind are renamed so that all names together are the likeliest, and are
    doubtful; so are tiles that the looks at them do not agree on.

    Args:
        tracks: Every tile that counts.

    Returns:
        A reading for each, `index` its identity, in the order given.
    """
    readings = [_reading(track) for track in tracks]
    faces = [k for k, reading in enumerate(readings) if reading.is_face]
    counts = Counter(readings[k].tile for k in faces)
    if not any(n > COPIES for n in counts.values()) or len(faces) > COPIES * len(FACES):
        return tuple(readings)
    rows = np.stack([_row(tracks[k]) for k in faces])
    # A blank face too many is sooner a back, of which there may be any number.
    backs = np.stack([_share_of_back(tracks[k]) for k in faces])
    names = best_kinds(np.hstack([rows, np.repeat(backs, -(-len(faces) // COPIES), axis=1)]))
    for k, name in zip(faces, names, strict=True):
        tile = FACES[int(name)] if name < len(FACES) else BACK
        if tile != readings[k].tile and tracks[k].correction is None:
            share = float(tracks[k].votes.probabilities[INDEX[tile]])
            readings[k] = replace(readings[k], tile=tile, confidence=share, doubtful=True)
    return tuple(readings)


def _row(track: Track) -> np.ndarray:
    if track.correction in FACES:
        row = np.full(len(FACES), (1 - SURE) / len(FACES))
        row[FACES.index(str(track.correction))] = SURE
        return row
    return np.asarray(track.votes.probabilities[: len(FACES)])


def _share_of_back(track: Track) -> np.ndarray:
    said = track.correction in FACES
    return np.array([0.0 if said else float(track.votes.probabilities[INDEX[BACK]])])


def _reading(track: Track) -> TileReading:
    reading = track.reading()
    if track.correction is not None:
        return reading
    shares = [p for _, p in reading.alternatives]
    margin = shares[0] - shares[1] if len(shares) > 1 else 1.0
    wrong_pips = reading.pips is not None and reading.tile != f"die{reading.pips}"
    least = LEAST_DIE_MARGIN if reading.is_die else LEAST_MARGIN
    doubtful = reading.confidence < LEAST_CONFIDENCE or margin < least or wrong_pips
    return replace(reading, doubtful=doubtful)
