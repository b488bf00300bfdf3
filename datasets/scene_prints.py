"""Printing on things that are no tiles: text in any script, and what a printed thing is."""

from __future__ import annotations

import random

import numpy as np
from PIL import Image, ImageDraw

from datasets.fonts import FontFace, chinese_fonts, latin_fonts
from datasets.scene_types import Pixels
from datasets.styles import RGB
from vision.opencv import cv2

WORDS = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自"
    "二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变"
    "条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指"
    "几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安"
)

#: Picture of the upper side, colour of the others, and width, height, thickness.
Made = tuple[Pixels, RGB, tuple[float, float, float]]


def bgr(image: Image.Image) -> Pixels:
    """A Pillow picture as OpenCV holds it."""
    return cv2.cvtColor(np.asarray(image), cv2.COLOR_RGB2BGR)


def chinese_font(rng: random.Random) -> FontFace:
    """Any Chinese font."""
    return rng.choice(chinese_fonts())


def print_text(
    draw: ImageDraw.ImageDraw,
    rng: random.Random,
    box: tuple[int, int, int, int],
    size: int,
    ink: RGB,
) -> None:
    """Lines of characters that fill `box`, in columns or rows, with gaps between paragraphs."""
    face = chinese_font(rng).at(size)
    latin = rng.random() < 0.4
    font = rng.choice(latin_fonts()).at(size) if latin else face
    y = box[1]
    while y + size < box[3]:
        length = (box[2] - box[0]) // (size // 2 if latin else size)
        length = max(1, int(length * rng.choice((1, 1, 1, 0.6, 0.3))))
        if latin:
            line = "".join(rng.choice("abcdefghijklmnop rstuvwy eao ") for _ in range(length))
        else:
            line = "".join(rng.choice(WORDS) for _ in range(length))
        draw.text((box[0], y), line, font=font, fill=ink)
        y += round(size * rng.choice((1.3, 1.3, 1.3, 2.2)))
