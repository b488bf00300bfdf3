"""An answer that comes late changes nothing that is newer, and a double tap does a thing once.

Each test holds one answer back until the page has gone on, so nothing here depends on speed.
"""

from __future__ import annotations

from typing import Any

import pytest

from rules import parse_tiles
from server.samples import list_samples
from tests.browser.waiting import intercept, wait_for

PLAYERS = ["王", "李", "赵", "钱"]
# Calls of the page wait for no timer from now on; they are made when the test says so.
STOP_TIMERS = """() => {
  window.stopped = [];
  window.setTimeout = (run) => window.stopped.push(run);
}"""
GO_ON = "() => { for (const run of window.stopped.splice(0)) run(); }"
TAP_TWICE = "node => { node.click(); node.click(); }"


def requests(page: Any, part: str, method: str = "POST") -> list[Any]:
    """Every request from now on whose address contains `part`."""
    seen: list[Any] = []
    page.on(
        "request",
        lambda one: seen.append(one) if part in one.url and one.method == method else None,
    )
    return seen


def test_the_pieces_that_keep_order(open_desk: Any) -> None:
    found = open_desk(at="#by-hand").page.evaluate(
        """async () => {
          const { inOrder, isNewer, newestOnly, notTwice } = await import("/static/js/answers.js");
          const did = [];
          let finish = null;
          const first = new Promise((done) => { finish = done; });
          const queue = inOrder();
          const works = [
            queue(async () => { await first; did.push("first"); return 1; }),
            queue(async () => { did.push("second"); throw new Error("refused"); }),
            queue(async () => { did.push("third"); return 3; }),
          ];
          const ends = Promise.allSettled(works);
          finish();
          const answers = (await ends).map((one) => one.value ?? one.reason.message);
          const asked = newestOnly();
          const questions = [asked(), asked()].map((isNewest) => isNewest());
          let taps = 0;
          const tapped = notTwice(async () => { taps += 1; });
          await Promise.all([tapped(), tapped()]);
          await tapped();
          const newer = [[7, "a"], [8, "a"], [9, "a"], [1, "b"]].map(([message, run]) =>
            isNewer({ message, run }, { message: 8, run: "a" }));
          return { did, answers, questions, taps, newer, none: isNewer({ message: 1 }, null) };
        }"""
    )
    assert found == {
        "did": ["first", "second", "third"],
        "answers": [1, "refused", 3],
        "questions": [False, True],
        "taps": 2,
        "newer": [False, False, True, True],
        "none": True,
    }


def test_the_desk_takes_no_answer_about_tiles_that_have_changed(open_desk: Any) -> None:
    desk = open_desk(at="#by-hand")
    desk.lay(list(parse_tiles("1346m234p56799s5z2s")))
    desk.page.locator("[data-discard]").first.wait_for()
    # An answer on its way is wanted no longer once a tile changes, not only when it is asked anew.
    held = desk.hold("**/api/score")
    desk.change("hand", 0, "2m")
    held.arrived()
    desk.page.evaluate(STOP_TIMERS)
    desk.page.locator("#undo").click()
    held.is_abandoned()
    desk.page.evaluate(GO_ON)
    desk.page.locator("[data-discard]").first.wait_for()


def test_a_sample_that_comes_late_is_not_laid_over_ones_own_tiles(open_desk: Any) -> None:
    desk = open_desk(at="#by-hand")
    sample = desk.page.locator("[data-sample]").first
    if not list_samples():
        pytest.skip("no sample photos in datasets/samples")
    source = sample.locator("img").get_attribute("src")
    sample.locator("img").evaluate("image => image.decode()")
    held = desk.hold(f"**{source}")
    sample.click()
    held.arrived()
    desk.lay(["1m", "2m"])
    held.is_abandoned()
    assert desk.codes("hand") == ["1m", "2m"]
    assert desk.page.locator("#stage.busy").count() == 0


def test_whether_to_pung_is_told_of_the_hand_that_lies_there(open_desk: Any) -> None:
    desk = open_desk(at="#by-hand")
    desk.lay(list(parse_tiles("1346m234p567995s")))
    desk.fill("indicator", "1z")
    pung = desk.page.locator("[data-pung]")
    pung.wait_for()
    held = desk.hold("**/api/pung")
    pung.click()
    desk.pick("9s")
    held.arrived()
    score = desk.hold("**/api/score")
    desk.change("hand", 0, "2m")
    score.let_go()
    held.let_go()
    assert desk.page.locator(".pung-answer").count() == 0


def test_a_settlement_of_the_hand_before_is_not_shown(open_desk: Any) -> None:
    desk = open_desk(at="#sheet")
    desk.begin(PLAYERS)
    desk.settle(2, 6)
    desk.enter()
    held = desk.hold("**/api/settle")
    desk.page.locator('[data-correct="1"]').click()
    held.arrived()
    desk.page.locator("[data-correct-cancel]").click()
    held.is_abandoned()
    assert desk.page.locator("#view-sheet .account .payments").count() == 0


def test_the_sheet_is_written_in_order_and_undone_once(open_desk: Any) -> None:
    desk = open_desk(at="#sheet")
    desk.begin(PLAYERS)
    desk.settle(3, 8)
    desk.enter()
    # The sheet is being asked for again while the next hand is entered.
    desk.go("score")
    held = desk.hold("**/api/ledger/*", method="GET")
    entered = requests(desk.page, "/hands")
    desk.go("sheet")
    held.arrived()
    desk.settle(3, 8)
    desk.page.locator("#view-sheet [data-enter]").click()
    desk.page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert entered == [], "an entry waits until what was asked for before it has come"
    held.let_go()
    desk.page.locator('[data-line="2"]').wait_for()
    assert desk.totals() == ["−16", "−16", "−16", "+48"]
    undone = requests(desk.page, "/undo")
    desk.page.locator('[data-undo="2"]').evaluate(TAP_TWICE)
    desk.page.locator('[data-line="3"]').wait_for()
    assert desk.totals() == ["−8", "−8", "−8", "+24"]
    assert len(undone) == 1
    assert desk.page.locator("#view-sheet .notice").count() == 0


def test_the_keyboard_keeps_its_place_when_a_late_answer_draws_the_sheet_anew(
    open_desk: Any,
) -> None:
    desk = open_desk(at="#sheet")
    desk.begin(PLAYERS)
    desk.go("score")
    held = desk.hold("**/api/ledger/*", method="GET")
    desk.go("sheet")
    held.arrived()
    winner = desk.page.locator('#view-sheet [data-winner="1"]')
    winner.focus()
    winner.evaluate("node => { node.old = true }")
    held.let_go()
    desk.until("() => !document.querySelector('#view-sheet [data-winner=\"1\"]').old")
    assert desk.page.evaluate("document.activeElement.dataset.winner") == "1"


def test_the_guide_shows_what_was_asked_last_and_takes_a_roll_once(open_desk: Any) -> None:
    desk = open_desk(at="#opening")
    steps = desk.page.locator(".guide .steps")
    desk.roll(3, 4)
    # The second die is tapped twice: that is one roll, and not two.
    desk.page.locator('.guide [data-which="0"][data-points="2"]').click()
    desk.page.locator('.guide [data-which="1"][data-points="3"]').evaluate(TAP_TWICE)
    steps.locator(".done").nth(1).wait_for()
    assert steps.locator(".done").count() == 2
    held = desk.hold("**/api/opening")
    steps.locator(".small-button").nth(0).click()
    held.arrived()
    steps.locator(".small-button").nth(1).click()
    steps.locator(".now").nth(0).wait_for()
    desk.page.locator("[data-keep]").wait_for()
    before = steps.inner_text()
    assert steps.locator(".done").count() == 1, "the second roll is put right"
    held.let_go()
    assert steps.inner_text() == before


def test_a_wind_is_picked_once_and_the_last_question_counts(open_desk: Any) -> None:
    desk = open_desk(at="#opening")
    seating = desk.page.locator(".seating")
    seating.locator("summary").click()
    seating.locator(".steps", has_text="掷两个色子").wait_for()
    held = desk.hold("**/api/seating")
    seating.locator('input[type="checkbox"]').check()
    held.arrived()
    for which, points in enumerate((2, 4)):
        seating.locator(f'[data-which="{which}"][data-points="{points}"]').click()
    seating.locator("[data-wind]").first.wait_for()
    before = seating.locator(".steps").inner_text()
    held.let_go()
    assert seating.locator(".steps").inner_text() == before
    seating.locator('[data-wind="2z"]').evaluate(TAP_TWICE)
    seating.locator('[data-wind="2z"]:disabled').wait_for()
    assert seating.locator(".picked img").count() == 1
    assert seating.locator(".notice").count() == 0


def test_rolls_reach_the_live_table_in_order(open_desk: Any) -> None:
    desk = open_desk()
    told: list[Any] = []

    def rolls(route: Any) -> None:
        told.append(route)
        if len(told) > 1:
            route.fulfill(json={})

    nothing = {"throws": [], "rolls": [], "indicator": None, "winds": []}
    seen = {"session": 7, "source": "live", **nothing}
    intercept(desk.page, "**/api/live/dice", lambda route: route.fulfill(json=seen))
    intercept(desk.page, "**/api/live/rolls", rolls)
    desk.go("opening")
    desk.page.locator('[data-dice-source="live"]').wait_for()
    desk.roll(3, 4)
    desk.roll(2, 3)
    assert len(told) == 1, "the second waits until the first has been answered"
    told[0].fulfill(json={})
    wait_for(desk.page, lambda: len(told) == 2, "the second follows")
    assert [one.request.post_data_json["rolls"] for one in told] == [[[3, 4]], [[3, 4], [2, 3]]]


def test_the_drill_is_of_the_level_that_was_chosen_last(open_desk: Any) -> None:
    desk = open_desk(at="#learn/drills")
    choices = desk.page.locator(".drill-choices [data-choice]")
    choices.first.wait_for()
    held = desk.hold("**/api/drill?*level=2*")
    desk.page.locator('[data-level="2"]').click()
    held.arrived()
    with desk.page.expect_response("**/api/drill?*level=3*"):
        desk.page.locator('[data-level="3"]').click()
    desk.page.evaluate("() => new Promise((done) => setTimeout(done))")
    before = desk.page.locator(".question").inner_text()
    held.let_go()
    assert desk.page.locator(".question").inner_text() == before
    # A double tap on "next" asks for one drill.
    while not desk.page.locator("[data-next]").count():
        choices.first.click()
        if desk.page.locator("[data-check]").count():
            desk.page.locator("[data-check]").click()
    asked = requests(desk.page, "/api/drill?", "GET")
    desk.page.locator("[data-next]").evaluate(TAP_TWICE)
    choices.locator("visible=true").first.wait_for()
    desk.page.locator("[data-choice]:enabled").first.wait_for()
    assert len(asked) == 1
