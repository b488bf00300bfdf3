"""What lies on a stage, on one plain cloth under one lamp: a picture without scenery."""

from __future__ import annotations

import random

import numpy as np

from datasets.scene_camera import Camera
from datasets.scene_effects import photograph
from datasets.scene_ground import paint_ground, table_top
from datasets.scene_render import Light, Painter, paint_shadows
from datasets.scene_stage import Stage
from datasets.scene_types import Pixels, SceneObject


def photograph_on_felt(
    stage: Stage,
    camera: Camera,
    rng: random.Random,
    lamp: tuple[float, float, float],
    cloth: int,
    strength: float,
) -> tuple[Pixels, tuple[SceneObject, ...]]:
    """Paint and photograph a stage's items.

    Args:
        stage: what lies there.
        camera: how it is looked at.
        rng: decides the grain of the cloth and what the camera does.
        lamp: direction towards the light.
        cloth: any number; equal ones are the same cloth.
        strength: of blur, noise and uneven light, 0..1.

    Returns:
        The picture and what can be read in it.
    """
    towards = np.array(lamp)
    light = Light(towards / np.linalg.norm(towards), ambient=0.75, shadow=0.4, softness=13)
    top = table_top(random.Random(f"felt {cloth}"))
    picture = paint_ground(camera, rng, top, top, None)
    paint_shadows(picture, stage.items, camera, light)
    painter = Painter(picture, camera, light)
    painter.paint(stage.items)
    return photograph(picture, rng, strength=strength), painter.objects()
