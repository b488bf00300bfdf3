"""Chinese and symbol fonts, found by family name among the fonts this computer has."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from PIL import ImageFont

FONT_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".local/share/fonts",
    Path.home() / ".fonts",
)
APT_PACKAGES = (
    "fonts-arphic-ukai fonts-arphic-uming fonts-arphic-bkai00mp fonts-arphic-gkai00mp "
    "fonts-noto-cjk fonts-noto-cjk-extra fonts-wqy-zenhei fonts-wqy-microhei fonts-symbola"
)
#: Families that can draw the traditional and the simplified characters of a tile set, with the
#: start of the file names they come in (looking inside every font of a computer takes too long).
CHINESE_FAMILIES = {
    "AR PL UKai TW": "ukai",
    "AR PL UKai CN": "ukai",
    "AR PL KaitiM Big5": "bkai00mp",
    "AR PL UMing TW": "uming",
    "AR PL UMing CN": "uming",
    "Noto Serif CJK TC": "NotoSerifCJK-Bold",
    "Noto Serif CJK SC": "NotoSerifCJK-Black",
    "Noto Serif CJK JP": "NotoSerifCJK-Regular",
    "Noto Sans CJK TC": "NotoSansCJK-Bold",
    "Noto Sans CJK SC": "NotoSansCJK-Medium",
    "WenQuanYi Zen Hei": "wqy-zenhei",
    "WenQuanYi Micro Hei": "wqy-microhei",
}
#: Further packages and families, in which only pictures to train on are drawn (`wide_fonts`): sets
#: are cut in more hands than the fonts above show. Brush, clerical, round and written by hand.
WIDER_PACKAGES = (
    "fonts-cwtex-kai fonts-cwtex-heib fonts-cwtex-fs fonts-cwtex-yen fonts-cwtex-ming "
    "fonts-cns11643-kai fonts-lxgw-wenkai fonts-kouzan-mouhitsu fonts-aoyagi-kouzan-t "
    "fonts-aoyagi-soseki fonts-klee fonts-dejima-mincho fonts-kiloji fonts-seto "
    "fonts-motoya-l-maruberi fonts-umeplus"
)
WIDER_FAMILIES = {
    "cwTeXKai": "cwkai",
    "cwTeXHeiBold": "cwheib",
    "cwTeXFangSong": "cwfs",
    "cwTeXYen": "cwyen",
    "cwTeXMing": "cwming",
    "TW-Kai": "TW-Kai-98",
    "LXGW WenKai": "LXGWWenKai-Bold",
    "KouzanBrushFont": "kouzan-mouhitsu.ttf",
    "KouzanBrushFontGyousyo": "kouzan-mouhitsu-gyosho",
    "AoyagiKouzanFontT": "AoyagiKouzanT",
    "AoyagiSosekiFont2": "aoyagi-soseki",
    "Klee One": "KleeOne-SemiBold",
    "Dejima": "dejima-mincho",
    "kiloji": "kiloji.ttf",
    "SetoFont": "setofont.ttf",
    "MotoyaLMaru": "MTLmr3m",
    "UmePlus Gothic": "umeplus-gothic",
}
LATIN_FAMILIES = {
    "DejaVu Sans": "DejaVuSans-Bold",
    "DejaVu Serif": "DejaVuSerif-Bold",
    "Liberation Sans": "LiberationSans-Bold",
    "Noto Sans CJK TC": "NotoSansCJK-Bold",
    "Noto Serif CJK TC": "NotoSerifCJK-Bold",
}
SYMBOL_FAMILIES = {"Symbola": "Symbola"}


class FontsMissing(RuntimeError):
    """No usable font is installed; the message names the packages to install."""


@dataclass(frozen=True)
class FontFace:
    """One face of a font file: where it is and which face of a collection."""

    family: str
    path: Path
    index: int

    def at(self, pixels: int) -> ImageFont.FreeTypeFont:
        """The font at a height of `pixels`."""
        return _open(self.path, self.index, pixels)

    def has(self, char: str) -> bool:
        """Whether the font draws `char` (and not nothing, or the box for a missing character)."""
        return _has(self, char)


@functools.lru_cache(maxsize=256)
def _open(path: Path, index: int, pixels: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), pixels, index=index)


@functools.cache
def _has(face: FontFace, char: str) -> bool:
    drawn, missing = (face.at(32).getmask(c) for c in (char, "\U000effff"))
    if drawn.getbbox() is None:
        return False
    return drawn.size != missing.size or bytes(drawn) != bytes(missing)


def able_to_draw(face: FontFace, char: str) -> FontFace:
    """`face`, or the first Chinese font that has `char` where `face` lacks it."""
    if face.has(char):
        return face
    return next((f for f in chinese_fonts() if f.has(char)), face)


@functools.lru_cache(maxsize=1)
def _font_files() -> tuple[Path, ...]:
    found = [
        path
        for folder in FONT_FOLDERS
        if folder.is_dir()
        for path in folder.rglob("*")
        if path.suffix.lower() in {".ttf", ".ttc", ".otf"}
    ]
    return tuple(sorted(found))


def _find(families: dict[str, str]) -> tuple[FontFace, ...]:
    faces = []
    for family, start in families.items():
        for path in _font_files():
            if not path.name.startswith(start):
                continue
            index = _face_index(path, family)
            if index is not None:
                faces.append(FontFace(family, path, index))
                break
    return tuple(faces)


def _face_index(path: Path, family: str) -> int | None:
    for index in range(32):
        try:
            name = ImageFont.truetype(str(path), 16, index=index).getname()[0]
        except OSError:
            return None
        if name == family:
            return index
        if path.suffix.lower() != ".ttc":
            return None
    return None


@functools.lru_cache(maxsize=1)
def chinese_fonts() -> tuple[FontFace, ...]:
    """Fonts for the characters of tiles, at least one.

    Raises:
        FontsMissing: when none is installed; the message names the Debian packages.
    """
    faces = _find(CHINESE_FAMILIES)
    if not faces:
        raise FontsMissing(
            "No Chinese font was found to draw tile faces with. On Debian or Ubuntu install them "
            f"with: sudo apt install {APT_PACKAGES}"
        )
    return faces


@functools.lru_cache(maxsize=1)
def wide_fonts() -> tuple[FontFace, ...]:
    """The fonts of `chinese_fonts` and all that are there of `WIDER_FAMILIES`.

    Raises:
        FontsMissing: when no Chinese font is installed, or none of the further ones; the message
            names the Debian packages.
    """
    further = _find(WIDER_FAMILIES)
    if not further:
        raise FontsMissing(
            "None of the further fonts for training pictures was found. On Debian or Ubuntu "
            f"install them with: sudo apt install {WIDER_PACKAGES}"
        )
    return (*chinese_fonts(), *further)


@functools.lru_cache(maxsize=1)
def latin_fonts() -> tuple[FontFace, ...]:
    """Fonts for corner numerals and letters; the Chinese ones where there are no others."""
    return _find(LATIN_FAMILIES) or chinese_fonts()


@functools.lru_cache(maxsize=1)
def symbol_font() -> FontFace | None:
    """A font with the mahjong tiles of Unicode (🀐), or None."""
    faces = _find(SYMBOL_FAMILIES)
    return faces[0] if faces else None
