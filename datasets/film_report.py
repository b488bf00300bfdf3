"""What came of trials on films: one JSON file a film, and the figures of all of them."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from datasets.film import Film
from datasets.film_check import PARTS
from datasets.film_events import KINDS
from datasets.film_trial import FilmResult, PerfectLook, try_film
from vision.tracking.looking import Look

READERS = ("models", "perfect")


@dataclass(frozen=True)
class Trial:
    """One film to be tried.

    Attributes:
        seed, view, width, fps, short: As of `Film`.
        shared: Folder with further tile sets; None: drawn ones only.
        reader: One of `READERS`.
        models: Name of the models' files, so that other models are another trial.
        taught: The reader is first taught the film's tile set from one photo.
    """

    seed: int
    view: str
    width: int = 960
    fps: int = 6
    short: bool = True
    shared: str | None = None
    reader: str = "models"
    models: str = ""
    taught: bool = False

    @property
    def file(self) -> str:
        """Name of the file that keeps its result."""
        how = f"{'-short' if self.short else ''}{'-taught' if self.taught else ''}"
        return f"{self.view}-{self.seed}{how}.json"

    def film(self) -> Film:
        """The film itself."""
        shared = Path(self.shared) if self.shared else None
        return Film(
            self.seed, self.view, short=self.short, width=self.width, fps=self.fps, shared=shared
        )


def trials(films: int, seed: int, whole: int, **settings: Any) -> list[Trial]:
    """So many films, half from above and half from a seat; the last `whole` are long rounds."""
    made = []
    for number in range(films):
        view = ("overhead", "seat")[number % 2]
        short = number < films - whole
        made.append(Trial(seed + number // 2, view, short=short, **settings))
    return made


def try_all(
    planned: Sequence[Trial],
    folder: Path,
    look: Callable[[Trial, Film], Look],
    progress: Callable[[Iterable[Trial]], Iterable[Trial]] = lambda planned: planned,
) -> list[dict[str, Any]]:
    """Try every film whose result is not in `folder` yet, and give all results.

    Args:
        planned: The films.
        folder: Where results are kept; made when it is not there.
        look: Makes the reader of a film; asked only when it is tried with models.
        progress: Wraps the films that are gone through.

    Raises:
        OSError: The folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    results = []
    for trial in progress(planned):
        file = folder / trial.file
        known = kept_result(file, trial)
        if known is None:
            film = trial.film()
            reader = look(trial, film) if trial.reader == "models" else PerfectLook()
            known = _json(trial, try_film(film, reader))
            # Written beside and moved over: a run that is stopped leaves whole files only.
            beside = file.with_suffix(".new")
            beside.write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")
            os.replace(beside, file)
        results.append(known)
    return results


def _json(trial: Trial, result: FilmResult) -> dict[str, Any]:
    return {"trial": asdict(trial), **json.loads(json.dumps(result.to_json()))}


def kept_result(file: Path, trial: Trial) -> dict[str, Any] | None:
    """The result of this very trial from an earlier run."""
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(known, dict) or known.get("trial") != asdict(trial):
        return None
    # Kept by an earlier version, that asked less of a state.
    return known if all("pointed" in check for check in known["checks"]) else None


def figures(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of all films together and by view."""
    views = sorted({result["trial"]["view"] for result in results})
    by_view = {v: _figures([r for r in results if r["trial"]["view"] == v]) for v in views}
    return {"all": _figures(results), **by_view}


def _figures(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    checks = [check for result in results for check in result["checks"]]
    wrong = [check for check in checks if check["wrong"]]
    parts = {}
    for part in PARTS:
        asked = sum(part in check["parts"] for check in checks)
        amiss = [w for check in checks for w in check["wrong"] if w["part"] == part]
        off = sum(any(w["part"] == part for w in check["wrong"]) for check in checks)
        parts[part] = {
            "asked": asked,
            "wrong": off,
            "missing": sum(w["how"] == "missing" for w in amiss),
            "extra": sum(w["how"] == "extra" for w in amiss),
            "marked": sum(w["marked"] for w in amiss),
        }
    return {
        "films": len(results),
        "frames": sum(result["frames"] for result in results),
        "seconds": round(sum(result["seconds"] for result in results), 1),
        "checks": len(checks),
        "exact": len(checks) - len(wrong),
        "silent": sum(check["silent"] for check in wrong),
        "pointed": sum(check["pointed"] for check in wrong),
        "right_doubted": sum(check["doubted"] for check in checks if not check["wrong"]),
        "parts": parts,
        "events": {kind: _events(results, kind) for kind in KINDS},
    }


def _events(results: Sequence[Mapping[str, Any]], kind: str) -> dict[str, int]:
    counted = ("true", "right", "wrong", "missed", "invented", "marked", "hidden")
    found: Counter[str] = Counter(dict.fromkeys(counted, 0))
    for result in results:
        events = result["events"]
        found["true"] += sum(e["kind"] == kind for e in events["true"])
        found["right"] += sum(true["kind"] == kind for true, _ in events["right"])
        found["missed"] += sum(e["kind"] == kind for e in events["missed"])
        found["hidden"] += sum(e["kind"] == kind for e in events.get("hidden", ()))
        amiss = [told for true, told in events["wrong"] if true["kind"] == kind]
        invented = [e for e in events["invented"] if e["kind"] == kind]
        found["wrong"] += len(amiss)
        found["invented"] += len(invented)
        found["marked"] += sum(e["doubtful"] for e in (*amiss, *invented))
    return dict(found)


def as_markdown(numbers: Mapping[str, Any]) -> str:
    """The figures as tables."""
    lines = ["# The live table on films of whole rounds", ""]
    for view, found in numbers.items():
        checks, exact = found["checks"], found["exact"]
        share = f"{exact / checks:.1%}" if checks else "-"
        lines += [
            f"## {view}: {found['films']} films, {found['frames']} frames",
            "",
            f"State exact after 2 s of stillness: {exact} of {checks} ({share}); of the others "
            f"{found['silent']} without any doubt, {found['pointed']} with one that points at what "
            f"is wrong; {found['right_doubted']} exact ones with a doubt. "
            f"{found['seconds']} s of processor time.",
            "",
            "| part | checks | wrong | tiles missing | tiles extra | marked doubtful |",
            "|---|---|---|---|---|---|",
        ]
        for part, n in found["parts"].items():
            lines.append(
                f"| {part} | {n['asked']} | {n['wrong']} | {n['missing']} | {n['extra']} "
                f"| {n['marked']} |"
            )
        lines += [
            "",
            "| event | happened | told right | told amiss | missed | invented | amiss or invented "
            "but marked doubtful | out of sight |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for kind, n in found["events"].items():
            if any(n.values()):
                lines.append(
                    f"| {kind} | {n['true']} | {n['right']} | {n['wrong']} | {n['missed']} "
                    f"| {n['invented']} | {n['marked']} | {n['hidden']} |"
                )
        lines.append("")
    return "\n".join(lines)
