"""The teacher in a browser: examples, drills that follow, advice put away; every view audited."""

from __future__ import annotations

from typing import Any

import pytest

from rules import parse_tiles
from rules.drills import drill
from rules.examples import GANG_TOPICS, TOPICS

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}


def test_every_fan_of_the_seed_has_a_worked_picture(open_desk: Any) -> None:
    desk = open_desk(at="#learn")
    desk.page.locator(".topic").first.wait_for()
    summaries = desk.page.locator(".topic summary").all_inner_texts()
    assert len(summaries) == len(TOPICS) + len(GANG_TOPICS)
    for topic in TOPICS:
        one = desk.page.locator(f"#fan-{topic.key} summary")
        assert topic.zh in one.inner_text()
        assert f"{topic.fan} 番" in one.inner_text()
    desk.page.locator("#fan-zhuowu_benhun_long summary").click()
    body = desk.page.locator("#fan-zhuowu_benhun_long .topic-body")
    body.locator("[data-lay]").wait_for()
    assert body.locator(".placed img").count() == 14
    assert "(3+4)×2 = 14" in body.inner_text()
    before = body.locator(".placed").evaluate_all("nodes => nodes.map(n => n.ariaLabel).join()")
    body.locator("[data-another]").click()
    desk.until(
        """before => [...document.querySelectorAll("#fan-zhuowu_benhun_long .placed")]
          .map(n => n.ariaLabel).join() !== before""",
        before,
    )
    body.locator("[data-lay]").click()
    desk.expect("win", "14 番")


def solve(desk: Any, right: bool) -> None:
    """Answer the drill on the page, rightly or wrongly; the answer is worked out again here."""
    desk.page.locator("[data-choice]:enabled").first.wait_for()
    asked = desk.page.evaluate(
        "() => performance.getEntriesByType('resource').map(e => e.name)"
        ".filter(n => n.includes('/api/drill?')).at(-1)"
    )
    query = dict(part.split("=") for part in asked.split("?")[1].split("&"))
    found = drill(int(query["seed"]), int(query["level"]), int(query["number"]), query["kind"])
    keys = [choice.key for choice in found.choices]
    wrong = [key for key in keys if key not in found.answer]
    chosen = list(found.answer) if right else wrong[:1]
    for key in chosen:
        desk.page.locator(f'[data-choice="{key}"]').click()
    if found.several:
        desk.page.locator("[data-check]").click()
    verdict = "对" if right else f"答案是 {'、'.join(found.answer)}"
    desk.page.locator(".drill-verdict", has_text=verdict).wait_for()
    assert desk.page.locator(".explained").inner_text().strip()


def test_drills_go_up_with_right_answers_and_down_with_wrong_ones(open_desk: Any) -> None:
    """8 right answers lead from level 1 to 2, 8 wrong ones back."""
    desk = open_desk(PHONE, at="#learn/drills")
    for right, level in ((True, "2"), (False, "1")):
        for n in range(8):
            solve(desk, right)
            if n < 7:
                desk.page.locator("[data-next]").click()
        assert (
            desk.page.locator('[data-level][aria-pressed="true"]').get_attribute("data-level")
            == level
        )
        desk.page.locator("[data-next]").click()
    assert "题对" in desk.page.locator("[data-record]").inner_text()


def test_what_one_gets_wrong_comes_more_often(open_desk: Any) -> None:
    page = open_desk(at="#by-hand").page
    often = page.evaluate(
        """async () => {
          const { chooseKind, levelAfter } = await import("/static/js/progress.js");
          const record = { fan: { asked: 10, right: 0 }, waits: { asked: 10, right: 10 } };
          let fan = 0;
          for (let n = 0; n < 100; n++) {
            fan += chooseKind(["fan", "waits", "pays"], record, n / 100, "pays") === "fan";
          }
          const twice = chooseKind(["fan", "waits"], record, 0, "fan");
          const answers = (n, right) => Array(n).fill(right);
          return [fan, twice, levelAfter(3, answers(8, true)), levelAfter(1, answers(8, false)),
            levelAfter(2, answers(7, true))];
        }"""
    )
    assert 60 < often[0] < 90
    assert often[1:] == ["waits", 3, 1, 2]


def test_drills_are_answered_by_keyboard(open_desk: Any) -> None:
    desk = open_desk(language="en-US", at="#learn/drills")
    desk.page.locator("[data-choice]").first.focus()
    desk.page.keyboard.press("Enter")
    if desk.page.locator("[data-check]").count():
        desk.page.locator("[data-check]").focus()
        desk.page.keyboard.press("Enter")
    desk.page.locator(".drill-verdict").wait_for()
    assert desk.page.evaluate("document.activeElement.matches('[data-next]')")
    question = desk.page.locator(".question").inner_html()
    desk.page.keyboard.press("Enter")
    desk.until("before => document.querySelector('.question').innerHTML !== before", question)


def test_advice_is_put_away_during_play(open_desk: Any) -> None:
    desk = open_desk(at="#by-hand")
    desk.lay(list(parse_tiles("46m123p456p789s22z")))
    desk.fill("indicator", "9p")
    desk.expect("waits", "捉伍儿")
    desk.page.locator("#hide-advice").check()
    desk.expect("put_away")
    assert desk.page.locator("[data-wait]").count() == 0
    desk.page.reload()
    desk.ready()
    desk.lay(list(parse_tiles("46m123p456p789s22z")))
    desk.fill("indicator", "9p")
    desk.expect("put_away")
    desk.fill("drawn", "1z")
    desk.expect("no_win")
    assert desk.page.locator("[data-discard]").count() == 0
    desk.page.locator("[data-reveal]").click()
    desk.page.locator("[data-discard]").first.wait_for()
    desk.page.locator("#clear").click()
    desk.lay(list(parse_tiles("46m123p456p789s22z")))
    desk.fill("indicator", "9p")
    desk.expect("put_away")


@pytest.mark.parametrize(
    ("theme", "viewport", "language"),
    [
        ("light", DESKTOP, "zh-CN"),
        ("dark", DESKTOP, "en-US"),
        ("light", PHONE, "en-US"),
        ("dark", PHONE, "zh-CN"),
    ],
    ids=["light-desktop-zh", "dark-desktop-en", "light-phone-en", "dark-phone-zh"],
)
def test_every_view_is_for_everyone(
    open_desk: Any, audit: Any, theme: str, viewport: dict[str, int], language: str
) -> None:
    """Contrast, names, sizes and no sideways scrolling in each view, with what it can show open."""
    desk = open_desk(viewport, language, theme, at="#opening")
    for dice in ((6, 6), (4, 4), (1, 5)):
        desk.roll(*dice)
    desk.page.locator(".seating summary").click()
    desk.page.locator(".seating .steps").wait_for()
    assert audit(desk.page) == []
    desk.begin(["甲", "乙", "Bartholomew", "丁"])
    desk.settle(2, 6, ("gang-1-open", "zuo", "la-2"))
    assert audit(desk.page) == []
    desk.enter()
    desk.page.locator('[data-undo="1"]').click()
    desk.page.locator(".taken-back").wait_for()
    desk.page.locator('[data-more="1"]').click()
    desk.page.locator(".more .owed").wait_for()
    assert audit(desk.page) == []
    desk.go("learn")
    desk.page.locator("#fan-zhuowu_benhun_long summary").click()
    assert audit(desk.page) == []
    desk.page.locator('.parts [href="#learn/words"]').click()
    desk.page.locator(".terms").wait_for()
    assert audit(desk.page) == []
    desk.page.locator('.parts [href="#learn/drills"]').click()
    desk.page.locator("[data-choice]").first.click()
    assert audit(desk.page) == []
    desk.go("score")
    desk.lay(list(parse_tiles("1346m234p56799s5z")))
    desk.fill("drawn", "2s")
    desk.page.locator("[data-discard]").first.wait_for()
    assert audit(desk.page) == []


@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_the_language_changes_in_every_view(open_desk: Any, language: str) -> None:
    desk = open_desk(language=language, at="#sheet")
    desk.begin(["甲", "乙", "丙", "丁"])
    for view, zh, en in (
        ("opening", "开牌：从哪儿抓", "Opening: where to break"),
        ("learn", "每个番种", "Every fan"),
        ("sheet", "每一盘", "Every hand"),
    ):
        desk.go(view)
        first, second = (zh, en) if language == "zh-CN" else (en, zh)
        desk.page.locator(f"#view-{view} h2", has_text=first).first.wait_for()
        desk.page.locator("#language").click()
        desk.page.locator(f"#view-{view} h2", has_text=second).first.wait_for()
        desk.page.locator("#language").click()


def test_the_api_page_describes_every_route(open_desk: Any, audit: Any, address: str) -> None:
    page = open_desk(at="#by-hand").page
    page.goto(f"{address}api/docs")
    page.locator("article.operation").first.wait_for()
    assert page.locator("article.operation").count() >= 25
    assert page.locator("#post_rules_score", has_text="/api/score").count() == 1
    assert audit(page) == []
