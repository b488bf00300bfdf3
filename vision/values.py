"""What a photo says: the values that the reader makes and the layout, the page and JSON read.

Tiles are MPSZ strings (`1m`..`7z`, `back`, `die1`..`die6`); boxes are x1, y1, x2, y2 in pixels
of the upright photo.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Box = tuple[float, float, float, float]

FACES = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)) + tuple(
    f"{rank}z" for rank in range(1, 8)
)
BACK = "back"
DICE = tuple(f"die{pips}" for pips in range(1, 7))
CLASSES = (*FACES, BACK, *DICE)
NONE = "none"
# A name with this share among the alternatives is not in question.
CLEAR_NAME = 0.85


@dataclass(frozen=True)
class TileReading:
    """One tile or die of a photo.

    Attributes:
        tile: What it was read as.
        confidence: How often such a reading is right, 0..1.
        box: Where it is.
        alternatives: The likeliest names with their probabilities, best first; the tile itself
            is among them.
        doubtful: Somebody should look: low confidence, pips that disagree, or reassigned
            because there cannot be five of a kind.
        detector_p: The detector's own probability that something of this sort is here.
        pips: Pips counted on a die, apart from its name; None on tiles and uncountable dice.
        record: Whose record its confidence was judged by: `vision.company` for faces and backs,
            "die" or "small" (a small die).
        down: Which way the foot of the tile points in the photo (unit x, y), where it shows.
        index: Its place in `PhotoReading.tiles`.
    """

    tile: str
    confidence: float
    box: Box
    alternatives: tuple[tuple[str, float], ...] = ()
    doubtful: bool = False
    detector_p: float = 1.0
    pips: int | None = None
    record: str = "face"
    down: tuple[float, float] | None = None
    index: int = -1

    @property
    def is_face(self) -> bool:
        """Whether a tile's face shows."""
        return self.tile != BACK and not self.is_die

    @property
    def is_die(self) -> bool:
        """Whether it is a die."""
        return self.tile.startswith("die")

    @property
    def name_open(self) -> bool:
        """Whether it is doubtful for its name: a flower, say.

        A tile may also be doubtful for its place alone, far from the rest; its name is then clear.
        """
        return self.doubtful and (not self.alternatives or self.alternatives[0][1] < CLEAR_NAME)

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the box."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    def to_json(self) -> dict[str, Any]:
        """The form of `zhuowu read --json`."""
        out: dict[str, Any] = {
            "tile": self.tile,
            "confidence": round(self.confidence, 4),
            "box": [round(value, 1) for value in self.box],
            "alternatives": [[name, round(p, 4)] for name, p in self.alternatives],
        }
        if self.doubtful:
            out["doubtful"] = True
        if self.pips is not None:
            out["pips"] = self.pips
        return out


@dataclass(frozen=True)
class Note:
    """Something about the photo that the person who took it can mend.

    Attributes:
        code: Stable name, e.g. `"blurred"`.
        zh: What is wrong and what to do, in Chinese.
        en: The same in English.
        tiles: Indices of the tiles concerned.
    """

    code: str
    zh: str
    en: str
    tiles: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """`{"code", "zh", "en", "tiles"}`."""
        return {"code": self.code, "zh": self.zh, "en": self.en, "tiles": list(self.tiles)}


@dataclass(frozen=True)
class PhotoReading:
    """Everything the reader saw in one photo.

    Attributes:
        image: The photo's name.
        width: Pixels across, upright.
        height: Pixels down, upright.
        tiles: What was found, top to bottom, then left to right.
        ms: Milliseconds by stage.
        notes: Advice about the photo.
    """

    image: str
    width: int
    height: int
    tiles: tuple[TileReading, ...]
    ms: dict[str, float]
    notes: tuple[Note, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The object that `zhuowu read --json` prints for a photo."""
        out: dict[str, Any] = {
            "image": self.image,
            "width": self.width,
            "height": self.height,
            "tiles": [tile.to_json() for tile in self.tiles],
            "ms": round(sum(self.ms.values()), 1),
        }
        if self.notes:
            out["notes"] = [note.to_json() for note in self.notes]
        return out


@dataclass(frozen=True)
class MeldReading:
    """An exposed set.

    Attributes:
        kind: `"pong"`, `"gang_open"` or `"gang_concealed"`.
        tile: The tile it is made of.
        tiles: The tiles seen, backs of a concealed gang included.
    """

    kind: str
    tile: str
    tiles: tuple[TileReading, ...]


@dataclass(frozen=True)
class Choice:
    """One way to settle a doubt: a value for programs, a label for people."""

    value: str
    zh: str
    en: str


@dataclass(frozen=True)
class Doubt:
    """Something the photo does not settle.

    Attributes:
        code: Stable name, e.g. `"drawn_tile"`.
        zh: What is uncertain, in Chinese.
        en: The same in English.
        tiles: Indices of the tiles concerned.
        choices: What it may be; empty when only a person can say.
        move: Number of the move that it is about, as corrections of a live table take it.
    """

    code: str
    zh: str
    en: str
    tiles: tuple[int, ...] = ()
    choices: tuple[Choice, ...] = ()
    move: int | None = None

    def to_json(self) -> dict[str, Any]:
        """`{"code", "zh", "en", "tiles", "choices"}`, and `"move"` where it is about one."""
        about = {} if self.move is None else {"move": self.move}
        return {
            "code": self.code,
            "zh": self.zh,
            "en": self.en,
            "tiles": list(self.tiles),
            "choices": [{"value": c.value, "zh": c.zh, "en": c.en} for c in self.choices],
            **about,
        }


@dataclass(frozen=True)
class TableReading:
    """A photo's tiles in their roles.

    Attributes:
        hand: The concealed tiles, left to right as their owner sees them, without the drawn one.
        drawn: The drawn tile where it shows (set apart, or laid across).
        melds: Exposed sets.
        indicator: A lone tile that may be the turned one; a suggestion, never used unasked.
        aside: Every other tile.
        dice: The dice.
        doubts: What a person should settle.
        down: Which way the owner of the hand sits in the photo (unit x, y).
    """

    hand: tuple[TileReading, ...]
    drawn: TileReading | None
    melds: tuple[MeldReading, ...]
    indicator: TileReading | None
    aside: tuple[TileReading, ...]
    dice: tuple[TileReading, ...]
    doubts: tuple[Doubt, ...]
    down: tuple[float, float] = (0.0, 1.0)

    @property
    def used(self) -> tuple[TileReading, ...]:
        """The tiles of the hand, the drawn one and the exposed sets."""
        exposed = tuple(tile for meld in self.melds for tile in meld.tiles)
        return (*self.hand, *((self.drawn,) if self.drawn else ()), *exposed)

    def to_json(self) -> dict[str, Any]:
        """Roles as indices into the reading's tiles."""
        return {
            "hand": [tile.index for tile in self.hand],
            "drawn": None if self.drawn is None else self.drawn.index,
            "melds": [
                {"kind": m.kind, "tile": m.tile, "tiles": [t.index for t in m.tiles]}
                for m in self.melds
            ],
            "indicator": None if self.indicator is None else self.indicator.index,
            "aside": [tile.index for tile in self.aside],
            "dice": [tile.index for tile in self.dice],
            "doubts": [doubt.to_json() for doubt in self.doubts],
        }
