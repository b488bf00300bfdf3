"""A picture of which only the changes were painted equals one painted anew."""

from __future__ import annotations

import random

import numpy as np

from datasets.film import Film
from datasets.film_picture import TablePicture
from datasets.film_script import Script


def test_painting_only_what_changed_gives_the_same_pixels_and_labels() -> None:
    film = Film(3, "seat", short=True, width=320)
    rng, stage = film._start()
    camera = film._camera(stage.places, rng)
    script = Script(film.round, film.me, stage.places, random.Random(2), short=True)
    picture: TablePicture | None = None
    changes = 0
    for beat in script.beats():
        if not beat.moves:
            continue
        stage.put(beat.moves)
        hidden = frozenset(str(tile) for tile in list(beat.moves)[:1]) if changes % 2 else None
        picture = stage.paint(camera, film.size, hidden or frozenset(), picture)
        changes += 1
        if changes % 9 == 0:
            fresh = stage.paint(camera, film.size, hidden or frozenset())
            assert np.array_equal(picture.painter.picture, fresh.painter.picture)
            patched = {id(item): seen for item, seen in picture.painter.found()}
            whole = {id(item): seen for item, seen in fresh.painter.found()}
            assert patched.keys() == whole.keys()
            for key, seen in patched.items():
                assert seen.box == whole[key].box
                assert (seen.visible, seen.role, seen.seat) == (
                    whole[key].visible,
                    whole[key].role,
                    whole[key].seat,
                )
        if changes >= 36:
            break
    assert changes == 36
