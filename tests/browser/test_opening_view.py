"""The opening guide and 打风 in a browser: tapped, typed, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}


@pytest.mark.parametrize(
    ("viewport", "language", "words"),
    [
        (DESKTOP, "zh-CN", ("三七11对门", "第 12 墩：从这一墩开始抓牌", "翻开上面那张")),
        (PHONE, "en-US", ("3, 7 and 11", "to stack 12: drawing begins", "Turn its upper tile")),
    ],
    ids=["desktop-zh", "phone-en"],
)
def test_three_rolls_lead_to_the_turned_tile(
    open_desk: Any, viewport: dict[str, int], language: str, words: tuple[str, ...]
) -> None:
    """Seed: 7 is 对门; four dice make 12 from 对门's left; 6 back from there is stack 6."""
    desk = open_desk(viewport, language, at="#opening")
    steps = desk.page.locator(".guide .steps")
    for dice, said in zip(((3, 4), (2, 3), (1, 5)), words, strict=True):
        desk.roll(*dice)
        assert said in steps.inner_text()
    assert desk.page.locator(".stack.break, .stack.turned").count() == 2
    assert sorted(desk.page.locator(".flag-text").all_text_contents()) == ["12", "6"]
    desk.page.locator("[data-turned]").click()
    desk.pick("5m")
    desk.page.locator(".jokers-now img").nth(1).wait_for()
    desk.go("score")
    assert desk.codes("indicator") == ["5m"], "the turned tile is set on the desk"


def test_a_roll_can_be_changed_and_the_later_ones_stay(open_desk: Any) -> None:
    desk = open_desk(at="#opening")
    desk.roll(3, 4)
    desk.roll(2, 3)
    change = desk.page.locator(".guide .steps .small-button").first
    change.click()
    desk.page.locator(".guide .steps .now", has_text="庄家先掷").wait_for()
    desk.page.locator("[data-keep]").click()
    desk.page.locator(".guide .steps .done", has_text="三七11对门").wait_for()
    change.click()
    desk.page.locator(".guide .steps .now", has_text="庄家先掷").wait_for()
    desk.roll(4, 5)
    desk.page.locator(".guide .steps .done", has_text="2+3=5").wait_for()
    assert "五九自手" in desk.page.locator(".guide .steps").inner_text()


def test_dice_are_typed_and_views_walked_by_keyboard(open_desk: Any) -> None:
    desk = open_desk()
    keyboard = desk.page.keyboard
    desk.page.locator('#views [data-view="score"]').focus()
    keyboard.press("Tab")
    keyboard.press("Enter")
    desk.page.locator("#live-source").wait_for()
    assert desk.page.evaluate("document.activeElement.id") == "view-live"
    desk.page.locator('#views [data-view="live"]').focus()
    keyboard.press("Tab")
    keyboard.press("Enter")
    desk.page.locator(".guide .die").first.wait_for()
    assert desk.page.evaluate("document.activeElement.id") == "view-opening"
    keyboard.press("Tab")
    for digits, step in (("34", 1), ("23", 2), ("15", 3)):
        keyboard.type(digits)
        desk.page.locator(".guide .steps .done").nth(step - 1).wait_for()
        desk.page.locator(".guide .die:focus, .guide [data-turned]:focus").wait_for()
    keyboard.press("Enter")
    desk.page.locator("#picker[open]").wait_for()
    keyboard.press("Enter")
    desk.page.locator(".jokers-now").wait_for()


def test_the_table_turns_to_where_one_sits(open_desk: Any) -> None:
    """Seats are anticlockwise: who sits opposite the dealer has the dealer's 上家 on the right."""
    desk = open_desk(at="#opening")
    desk.page.locator('[data-viewer="2"]').check()
    middle = """seat => {
      const of = (selector) => document.querySelector(selector).getBoundingClientRect();
      const [one, all] = [of(`.drawing [data-seat="${seat}"]`), of(".drawing svg")];
      return [(one.x + one.width / 2 - all.x) / all.width,
        (one.y + one.height / 2 - all.y) / all.height];
    }"""
    y0, y2 = (desk.page.evaluate(middle, seat)[1] for seat in (0, 2))
    x3 = desk.page.evaluate(middle, 3)[0]
    assert y0 < 0.3, "the dealer sits above"
    assert y2 > 0.7
    assert x3 > 0.7


def test_seats_are_drawn_and_begin_a_guo(open_desk: Any) -> None:
    """SPEC §2: 甲 rolls 6, so 乙's seat is East; 乙 picks first; 丙 draws East and deals."""
    desk = open_desk(at="#opening")
    desk.page.locator(".seating summary").click()
    for seat, name in enumerate("甲乙丙丁"):
        desk.page.locator(f'[data-name="{seat}"]').fill(name)
        desk.page.locator(f'[data-name="{seat}"]').press("Tab")
    desk.page.locator(".seating .steps", has_text="甲掷两个色子").wait_for()
    desk.roll(2, 4, ".seating")
    for wind in ("2z", "1z", "4z", "3z"):
        desk.page.locator(f'[data-wind="{wind}"]:enabled').click()
        desk.page.locator(f'[data-wind="{wind}"]:disabled, [data-use-seats]').first.wait_for()
    assert "丙先坐庄" in desk.page.locator(".seating .steps").inner_text()
    desk.page.locator("[data-use-seats]").click()
    names = [desk.page.locator(f'[data-player="{k}"]').input_value() for k in range(4)]
    assert names == ["丙", "乙", "甲", "丁"]
