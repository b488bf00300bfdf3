"""Why photos will not do for calibration, in words, with the way out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from vision.calibration.errors import Reason
from vision.calibration.examples import Example
from vision.values import CLASSES, FACES

LEAST_SIDE = 24.0
"""Pixels of a tile's longer side in the photo below which its drawing cannot be told."""
# Two pictures of one face of one set are at least this alike (cosine of the features).
ALIKE = 0.55
# Two photos of one set are at least this alike in the middle over their common kinds. Of six
# labelled sets, photos of one are 0.86 alike and more, photos of two 0.66 to 0.97: ordinary sets
# look alike to a reader that has learnt to see past their differences.
SAME_SET = 0.8
# Where photos share no kind, their tiles' bodies are compared: in the middle over so many faces,
# the print must be darker than the body in both or lighter in both, and the tint (natural logarithm
# of a colour against green) must not differ by more than lamps and cameras make it: by 0.4 at most
# over the photos of each of nine sets with dark print on light bodies.
LEAST_BODIES, MOST_TINT = 4, 0.6
CERTAIN = 0.95
# The general classifier reads a set well when nearly every kind is what it says it is.
READS_WELL = 0.8


def check_examples(
    examples: Sequence[Example],
    answers: np.ndarray,
    features: np.ndarray,
    insist: bool = False,
    need_all: bool = True,
) -> list[Reason]:
    """Everything that speaks against learning from `examples`; empty when nothing does.

    Args:
        examples: Labelled tiles.
        answers: What the general classifier makes of each (n x classes).
        features: Its features (n x d).
        insist: The person has looked again and stands by the labels.
        need_all: All 34 kinds must be among them.
    """
    reasons = [*_small(examples), *(_missing(examples) if need_all else [])]
    if not insist:
        reasons += _contradicted(examples, answers)
        reasons += _unlike(examples, features) or _other_bodies(examples)
    return reasons


def missing_kinds(examples: Sequence[Example]) -> tuple[str, ...]:
    """The faces that no example shows, in class order."""
    shown = {example.tile for example in examples}
    return tuple(tile for tile in FACES if tile not in shown)


def _missing(examples: Sequence[Example]) -> list[Reason]:
    missing = missing_kinds(examples)
    if not missing:
        return []
    counts = Counter(e.tile for e in examples)
    photos = len({e.photo for e in examples})
    twice = [t for t in FACES if counts[t] > photos]
    words = " ".join(missing)
    zh, en = f"还缺 {len(missing)} 种牌：{words}。", f"{len(missing)} kinds are missing: {words}. "
    if twice:
        zh += f"而 {' '.join(twice)} 出现了不止一次，其中可能有认错的，请核对。"
        en += f"{' '.join(twice)} came more than once: one of them may be misnamed. "
    return [
        Reason(
            "missing_kinds",
            zh + "每种牌摆一张再拍，或再补拍缺的几张。",
            en + "Lay out one tile of each kind and take the photo again, or add a photo of the "
            "missing ones.",
            tuple(i for i, e in enumerate(examples) if e.tile in twice),
        )
    ]


def _small(examples: Sequence[Example]) -> list[Reason]:
    small = tuple(i for i, e in enumerate(examples) if e.side < LEAST_SIDE)
    if not small:
        return []
    return [
        Reason(
            "too_small",
            f"有 {len(small)} 张牌在照片里太小（不足 {LEAST_SIDE:.0f} 像素）。请靠近些，拍满画面。",
            f"{len(small)} tiles are too small in the photo (under {LEAST_SIDE:.0f} pixels). "
            "Go closer, so that the tiles fill the picture.",
            small,
        )
    ]


def _contradicted(examples: Sequence[Example], answers: np.ndarray) -> list[Reason]:
    """Labels against the general classifier's word, where its word is worth something here."""
    faces = [i for i, e in enumerate(examples) if e.tile in FACES]
    sure = [i for i in faces if answers[i].max() >= CERTAIN and answers[i].argmax() < len(FACES)]
    told = {int(answers[i].argmax()) for i in sure}
    against = [i for i in sure if CLASSES[int(answers[i].argmax())] != examples[i].tile]
    # Confident in nearly all and each time of another kind: so it knows this design. Elsewhere
    # its word counts only where two names were plainly swapped.
    if len(told) < READS_WELL * len({examples[i].tile for i in faces}):
        pairs = {(examples[i].tile, CLASSES[int(answers[i].argmax())]) for i in against}
        against = [
            i for i in against if (CLASSES[int(answers[i].argmax())], examples[i].tile) in pairs
        ]
    if not against:
        return []
    shown = [(examples[i].tile, CLASSES[int(answers[i].argmax())]) for i in against[:6]]
    zh = "、".join(f"标为 {a}，看着像 {b}" for a, b in shown)
    en = "; ".join(f"named {a}, looks like {b}" for a, b in shown)
    return [
        Reason(
            "wrong_names",
            f"有 {len(against)} 张牌的名称可能错了：{zh}。请核对（或牌的次序不对）；若确实无误，请"
            "确认（命令行加 --yes）。",
            f"{len(against)} tiles may be misnamed: {en}. Check them, and the order of the rows; "
            "if they are right, confirm it (--yes on the command line).",
            tuple(against),
        )
    ]


def _unlike(examples: Sequence[Example], features: np.ndarray) -> list[Reason]:
    """Two pictures said to show one face that are nothing alike: misnamed, or of two sets."""
    unit = features / np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-6)
    pairs = [
        (i, j, float(unit[i] @ unit[j]))
        for i in range(len(examples))
        for j in range(i + 1, len(examples))
        if examples[i].tile == examples[j].tile in FACES
    ]
    across = [p for p in pairs if examples[p[0]].photo != examples[p[1]].photo]
    if len(across) >= 5 and float(np.median([p[2] for p in across])) < SAME_SET:
        return [_ANOTHER_SET]
    odd = [p for p in pairs if p[2] < ALIKE]
    if not odd:
        return []
    names = " ".join(dict.fromkeys(examples[i].tile for i, _, _ in odd))
    return [
        Reason(
            "unlike_examples",
            f"同标为 {names} 的几张牌看起来不同。请核对；若确实无误，请确认（命令行加 --yes）。",
            f"Tiles all named {names} look different from each other. Check them; if they are "
            "right, confirm it (--yes on the command line).",
            tuple(dict.fromkeys(k for i, j, _ in odd for k in (i, j))),
        )
    ]


_ANOTHER_SET = Reason(
    "another_set",
    "这些照片不像同一副牌。请为每副牌分别校准。",
    "These photos do not look like one set of tiles. Calibrate each set by itself.",
)


def _other_bodies(examples: Sequence[Example]) -> list[Reason]:
    """Photos whose tiles are made of plainly different stuff, also where they share no kind."""
    seen: dict[int, list[np.ndarray]] = defaultdict(list)
    for example in examples:
        if example.tile in FACES:
            seen[example.photo].append(_body(example.patch.tile))
    looks = [np.median(rows, axis=0) for rows in seen.values() if len(rows) >= LEAST_BODIES]
    for number, one in enumerate(looks):
        for other in looks[:number]:
            # The tint of dark stone is hardly to be seen.
            tint = np.abs(one[1:] - other[1:]).max() if one[0] == other[0] == -1 else 0.0
            if one[0] * other[0] < 0 or tint > MOST_TINT:
                return [_ANOTHER_SET]
    return []


def _body(tile: np.ndarray) -> np.ndarray:
    """Print darker than the body (-1), lighter (1) or none (0); the body's blue and red tint."""
    height, width = tile.shape[:2]
    y, x = max(1, height // 8), max(1, width // 8)
    inner = tile[y : height - y, x : width - x].reshape(-1, 3).astype(float)
    rim = np.concatenate(
        [tile[y : 2 * y, x:-x].reshape(-1, 3), tile[y:-y, x : 2 * x].reshape(-1, 3)]
    )
    body = np.log(np.median(rim, axis=0) + 8)
    low, high = np.percentile(inner.mean(axis=1), (2, 98))
    darker, lighter = body.mean() - np.log(low + 8), np.log(high + 8) - body.mean()
    sign = 0.0 if max(darker, lighter) < 0.15 else np.sign(lighter - darker)
    return np.array([sign, body[0] - body[1], body[2] - body[1]])
