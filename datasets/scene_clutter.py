"""Things on a table that are no tiles: books, keyboards, phones, cards, boards, papers, racks."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from datasets.fonts import latin_fonts
from datasets.scene_boards import PIECES, ROUND_MAKERS, plain_block, shelf, tiled_board
from datasets.scene_items import Item, lying, standing
from datasets.scene_prints import WORDS, Made, bgr, chinese_font, print_text
from datasets.scene_types import Pixels
from datasets.styles import RGB, jitter
from datasets.tile_sets import level_for, pyramid


@dataclass
class PlainLook:
    """The `Look` of a plain thing: one colour, maybe a picture on its upper side."""

    colour: RGB
    top: list[Pixels] | None = None
    radius: float = 0.05

    def texture(self, side: str, width: float) -> Pixels | None:
        """The picture of the upper side; the others are plain."""
        return level_for(self.top, width) if self.top and side == "face" else None

    def layers(self) -> tuple[tuple[float, RGB], ...]:
        """One material all through."""
        return ((1.0, self.colour),)


def _paper(rng: random.Random) -> Made:
    paper = jitter(rng, (242, 240, 232), 10)
    image = Image.new("RGB", (300, 400), paper)
    print_text(
        ImageDraw.Draw(image),
        rng,
        (24, 24, 280, 380),
        rng.choice((10, 13, 18, 30, 60)),
        (40, 40, 44),
    )
    return bgr(image), paper, (7.0, 9.5, 0.02)


def _book(rng: random.Random) -> Made:
    cover = jitter(
        rng,
        rng.choice(
            (
                (180, 40, 40),
                (40, 80, 150),
                (230, 220, 200),
                (30, 30, 34),
                (60, 140, 90),
                (240, 240, 240),
                (220, 170, 40),
            )
        ),
        25,
    )
    image = Image.new("RGB", (300, 420), cover)
    draw = ImageDraw.Draw(image)
    ink: RGB = (250, 250, 246) if sum(cover) < 380 else (30, 30, 40)
    for _ in range(rng.randint(0, 4)):
        x, y = rng.randrange(300), rng.randrange(420)
        w, h = rng.randint(30, 200), rng.randint(20, 160)
        draw.rectangle((x, y, x + w, y + h), fill=jitter(rng, cover, 60))
    title = "".join(rng.choice(WORDS) for _ in range(rng.randint(2, 5)))
    draw.text((30, 40), title, font=chinese_font(rng).at(rng.choice((36, 52, 64))), fill=ink)
    print_text(draw, rng, (30, 150, 270, 390), rng.choice((12, 16, 22)), ink)
    return bgr(image), cover, (5.5, 8.0, rng.uniform(0.2, 1.2))


def _keyboard(rng: random.Random) -> Made:
    dark = rng.random() < 0.5
    body: RGB = jitter(rng, (40, 42, 46) if dark else (205, 205, 205), 12)
    key: RGB = jitter(rng, (24, 24, 26) if dark else (245, 245, 245), 8)
    ink: RGB = (230, 230, 230) if dark else (50, 50, 56)
    image = Image.new("RGB", (620, 230), body)
    draw = ImageDraw.Draw(image)
    font = rng.choice(latin_fonts()).at(15)
    letters = "QWERTYUIOPASDFGHJKLZXCVBNM1234567890"
    for row in range(5):
        x = 8
        while x < 600:
            w = 38 if rng.random() < 0.88 else rng.choice((58, 80, 160))
            w = min(w, 612 - x)
            draw.rounded_rectangle((x, 8 + row * 44, x + w - 4, 46 + row * 44), 5, fill=key)
            draw.text((x + 8, 12 + row * 44), rng.choice(letters), font=font, fill=ink)
            x += w
    return bgr(image), body, (15.0, 5.5, 0.5)


def _phone(rng: random.Random) -> Made:
    image = Image.new("RGB", (180, 370), (14, 14, 16))
    draw = ImageDraw.Draw(image)
    if rng.random() < 0.7:
        wall = jitter(rng, rng.choice(((40, 70, 140), (240, 240, 244), (120, 60, 110))), 40)
        draw.rounded_rectangle((6, 8, 174, 362), 12, fill=wall)
        for row in range(rng.randint(2, 6)):
            for column in range(4):
                x, y = 14 + column * 40, 30 + row * 52
                draw.rounded_rectangle(
                    (x, y, x + 32, y + 32), 8, fill=jitter(rng, (128, 128, 128), 120)
                )
    return bgr(image), (20, 20, 22), (2.7, 5.6, 0.3)


def _card(rng: random.Random) -> Made:
    image = Image.new("RGB", (180, 250), (250, 250, 248))
    draw = ImageDraw.Draw(image)
    ink: RGB = rng.choice(((190, 20, 30), (20, 20, 24)))
    if rng.random() < 0.3:
        draw.rectangle((14, 14, 166, 236), fill=jitter(rng, (160, 40, 50), 60))
    else:
        rank = rng.choice(("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"))
        font = rng.choice(latin_fonts()).at(34)
        draw.text((12, 8), rank, font=font, fill=ink)
        draw.text((142, 206), rank, font=font, fill=ink)
        for _ in range(rng.randint(1, 10)):
            x, y = rng.choice((60, 90, 120)), rng.choice((50, 85, 125, 165, 200))
            if rng.random() < 0.5:
                draw.polygon([(x, y - 16), (x + 13, y), (x, y + 16), (x - 13, y)], fill=ink)
            else:
                draw.ellipse((x - 12, y - 12, x + 12, y + 12), fill=ink)
    return bgr(image), (245, 245, 242), (2.2, 3.1, 0.02)


def _board(rng: random.Random) -> Made:
    """A board with lines or squares and round pieces, some with characters (Go, xiangqi, chess)."""
    wood = jitter(
        rng, rng.choice(((215, 175, 110), (190, 140, 80), (235, 225, 200), (90, 60, 40))), 16
    )
    image = Image.new("RGB", (420, 420), wood)
    draw = ImageDraw.Draw(image)
    count = rng.choice((8, 9, 10, 13, 19))
    step = 380 // count
    chess = count == 8
    for i in range(count + 1):
        p = 20 + i * step
        draw.line((20, p, 20 + count * step, p), fill=(40, 30, 20), width=2)
        draw.line((p, 20, p, 20 + count * step), fill=(40, 30, 20), width=2)
        if chess:
            for j in range(i % 2, count, 2):
                x = 20 + j * step
                draw.rectangle((x, p, x + step, p + step), fill=jitter(rng, (110, 80, 50), 8))
    font = chinese_font(rng).at(max(8, step // 2))
    for _ in range(rng.randint(0, 40)):
        x, y = 20 + rng.randrange(count + 1) * step, 20 + rng.randrange(count + 1) * step
        r = step * 0.44
        fill = rng.choice(((20, 20, 22), (248, 248, 244), (230, 200, 150)))
        draw.ellipse((x - r, y - r, x + r, y + r), fill=fill, outline=(60, 40, 30))
        if count in (9, 10):
            draw.text(
                (x - r * 0.55, y - r * 0.7),
                rng.choice("车馬炮兵卒將帥士象相"),
                font=font,
                fill=rng.choice(((180, 30, 30), (30, 30, 30))),
            )
    return bgr(image), wood, (14.0, 14.0, 0.5)


def _domino(rng: random.Random) -> Made:
    body: RGB = rng.choice(((244, 242, 234), (24, 24, 28), (190, 40, 40)))
    pip: RGB = (20, 20, 24) if sum(body) > 400 else (245, 245, 245)
    image = Image.new("RGB", (120, 240), body)
    draw = ImageDraw.Draw(image)
    draw.line((10, 120, 110, 120), fill=pip, width=4)
    for top in (0, 120):
        for _ in range(rng.randint(0, 6)):
            x, y = rng.choice((30, 60, 90)), top + rng.choice((30, 60, 90))
            draw.ellipse((x - 11, y - 11, x + 11, y + 11), fill=pip)
    return bgr(image), body, (0.9, 1.8, 0.3)


def _blank(rng: random.Random) -> Made:
    """Erasers, boxes, wood blocks, cases: plain boxes that are no tile backs."""
    colour = jitter(
        rng,
        rng.choice(((250, 250, 250), (60, 120, 200), (200, 60, 60), (220, 190, 140), (40, 40, 44))),
        25,
    )
    image = Image.new("RGB", (200, 120), colour)
    print_text(
        ImageDraw.Draw(image),
        rng,
        (20, 30, 180, 100),
        rng.choice((14, 30)),
        jitter(rng, (90, 90, 90), 80),
    )
    return bgr(image), colour, (rng.uniform(2.5, 9), rng.uniform(1.5, 5), rng.uniform(0.2, 1.5))


def _cup(rng: random.Random) -> Made:
    """A cup of tea or coffee, an ashtray, a bowl."""
    body = jitter(
        rng, rng.choice(((245, 245, 240), (60, 90, 150), (170, 60, 50), (40, 44, 48))), 20
    )
    image = Image.new("RGB", (200, 200), body)
    drink = jitter(rng, rng.choice(((150, 90, 30), (60, 35, 20), (220, 210, 190))), 15)
    ImageDraw.Draw(image).ellipse((22, 22, 178, 178), fill=drink, outline=(90, 90, 90), width=3)
    side = rng.uniform(2.2, 3.4)
    return bgr(image), body, (side, side, rng.uniform(0.8, 3.4))


def _chip(rng: random.Random) -> Made:
    """A round chip, coin or coaster."""
    body = jitter(
        rng,
        rng.choice(((190, 40, 40), (40, 90, 170), (235, 235, 230), (30, 120, 70), (200, 170, 80))),
        20,
    )
    image = Image.new("RGB", (160, 160), body)
    draw = ImageDraw.Draw(image)
    draw.ellipse((26, 26, 134, 134), outline=(245, 245, 245), width=rng.choice((3, 8, 14)))
    text = rng.choice(("5", "10", "25", "50", "100", "1", "东", "庄"))
    draw.text((62, 52), text, font=chinese_font(rng).at(44), fill=(245, 245, 245))
    side = rng.uniform(1.0, 2.2)
    return bgr(image), body, (side, side, rng.uniform(0.06, 0.25))


_ROUND = (_cup, _chip, *ROUND_MAKERS)
_MAKERS: tuple[Callable[[random.Random], Made], ...] = (
    *(_paper, _book, _book, _keyboard, _keyboard, _phone, _card, _card, _board, _domino),
    *(_blank, _cup, _chip, plain_block, plain_block, plain_block, tiled_board, tiled_board),
    *PIECES,
)
_STORES: dict[str, tuple[int, tuple[Callable[[random.Random], Made], ...]]] = {
    "any": (48, _MAKERS),
    "board": (8, (tiled_board,)),
    "piece": (40, PIECES),
    "shelf": (8, (shelf,)),
}


class ClutterBox:
    """Stores of things, drawn once each and used again in later scenes."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._made: dict[tuple[str, int], tuple[PlainLook, tuple[float, float, float]]] = {}

    def thing(self, rng: random.Random, x: float, y: float, store: str = "any") -> Item:
        """Some thing lying at (x, y), turned at random; `store` is "any", "board" or "piece"."""
        look, size = self._take(rng, store)
        turn = rng.choice((0.0, 1.57, 3.14, 4.71)) + rng.gauss(0, 0.25)
        centre = np.array([x, y, size[2] / 2])
        return Item("", centre, lying(turn), size, look, focus=False)

    def standing_shelf(self, rng: random.Random, towards: float, near: float) -> Item:
        """A row of book spines that faces a viewer in the direction `towards` (radians), `near`
        tile widths behind the middle of the table."""
        look, size = self._take(rng, "shelf")
        away = near + size[2] / 2
        x, y = -away * np.cos(towards), -away * np.sin(towards)
        along = rng.uniform(-0.35, 0.35) * size[0]
        centre = np.array([x - along * np.sin(towards), y + along * np.cos(towards), size[1] / 2])
        return Item("", centre, standing(towards), size, look, focus=False)

    def _take(self, rng: random.Random, store: str) -> tuple[PlainLook, tuple[float, float, float]]:
        count, makers = _STORES[store]
        key = store, rng.randrange(count)
        if key not in self._made:
            own = random.Random(f"{self._seed} clutter {key[0]} {key[1]}")
            maker = own.choice(makers)
            picture, colour, size = maker(own)
            radius = 0.5 * max(1.0, size[0]) if maker in _ROUND else 0.05
            self._made[key] = PlainLook(colour, pyramid(picture), radius), size
        return self._made[key]


def bar(
    centre: tuple[float, float, float], turn: float, size: tuple[float, float, float], colour: RGB
) -> Item:
    """A plain bar (rack, table rim, tray edge) whose length runs along `turn`."""
    look = PlainLook(colour, radius=0.1)
    return Item("", np.array(centre), lying(turn), size, look, focus=False)
