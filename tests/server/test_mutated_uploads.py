"""Damaged photos by the hundred: the program refuses or reads them and never fails itself.

Ten thousand of the same: `python -m server.upload_check --count 10000`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from server.samples import list_samples
from server.upload_check import Verdict, note, run


@pytest.mark.skipif(not list_samples(), reason="no photos in datasets/samples")
def test_damaged_uploads_never_make_the_program_fail(tmp_path: Path) -> None:
    try:
        verdict = run(200, seed=20250131, folder=tmp_path)
    except RuntimeError as error:
        pytest.skip(str(error))
    assert verdict.sent == 200
    assert verdict.sound, verdict.failed
    ways = {answer.split()[0] for answer in verdict.answers}
    assert ways == {"read", "form", "frames", "sheet"}
    taken = sum(n for answer, n in verdict.answers.items() if answer.split()[1] in ("200", "201"))
    assert 10 < taken < 160, "some are still photos, most are not"


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, '{"error": {"code": "internal", "zh": "错", "en": "wrong"}}'), (422, "<html>no reason")],
)
def test_the_check_notices_a_failure(status: int, body: str) -> None:
    app = Flask(__name__)

    @app.get("/")
    def answer() -> tuple[str, int, dict[str, str]]:
        return body, status, {"Content-Type": "application/json"}

    verdict = Verdict()
    note(verdict, 7, "read", app.test_client().get("/"))
    assert verdict.failed == [f"7 read {status}"]
    assert not verdict.sound
