"""What a beginner asks at the table: each answer is found on the page."""

from __future__ import annotations

from typing import Any

from rules import parse_tiles

PHONE = {"width": 390, "height": 844}
WAITING = "46m123p456p789s22z"


def lay_waiting(desk: Any) -> None:
    desk.lay(list(parse_tiles(WAITING)))
    desk.fill("indicator", "9p")
    desk.expect("waits")
    desk.page.locator('[data-wait="1p"]').wait_for()  # the jokers of the turned tile count by now


def test_what_is_the_joker_now(open_desk: Any) -> None:
    """混儿 are the turned tile's kind and the next: 9p is followed by 1p (seed)."""
    desk = open_desk(PHONE, at="#by-hand")
    lay_waiting(desk)
    names = desk.page.locator("#table .group.jokers img").evaluate_all(
        "nodes => nodes.map(node => node.alt)"
    )
    assert sorted(names) == ["一饼", "九饼"]


def test_what_am_i_waiting_for_and_how_many_are_left(open_desk: Any) -> None:
    """四、六万 wait for 伍万 or a joker: 捉伍儿; a 1p in hand and the turned 9p are seen."""
    desk = open_desk(PHONE, at="#by-hand")
    lay_waiting(desk)
    desk.expect("waits", "捉伍儿")
    labels = desk.page.locator("[data-wait]").evaluate_all(
        "nodes => nodes.map(n => [n.dataset.wait, n.ariaLabel])"
    )
    left = dict(labels)
    assert "还有 4 张" in left["5m"]
    assert "还有 3 张" in left["1p"]
    assert "还有 3 张" in left["9p"]
    desk.page.locator("#table .group.hand .tile-button").first.click()
    assert "看不见的还有 3 张" in desk.page.locator("#picker").inner_text()


def test_what_happens_if_i_discard_this(open_desk: Any) -> None:
    desk = open_desk(at="#by-hand")
    desk.lay(list(parse_tiles(WAITING)))
    desk.fill("indicator", "9p")
    desk.fill("drawn", "1z")
    desk.expect("no_win")
    best = desk.page.locator("[data-discard]").first
    assert best.get_attribute("data-discard") == "1z"
    assert "捉伍儿" in desk.page.locator(".discards li").first.inner_text(), "the reason is given"
    best.click()
    desk.expect("waits", "捉伍儿")
    assert desk.codes("aside") == ["1z"]
    desk.page.locator("#undo").click()
    desk.expect("no_win")


def test_may_i_pung_this(open_desk: Any) -> None:
    desk = open_desk(at="#by-hand")
    lay_waiting(desk)
    for tile, word in (("2z", "南能碰"), ("9p", "九饼不能碰"), ("7s", "七条不能碰")):
        desk.page.locator("[data-pung]").click()
        desk.pick(tile)
        desk.page.locator(".pung-answer .headline", has_text=word).wait_for()
        assert len(desk.page.locator(".pung-answer").inner_text()) > 12, "the reason is given"


def test_should_i_kong_this(open_desk: Any) -> None:
    """Four alike in the hand: whether to lay them down, and what the replacement tile may win."""
    desk = open_desk(at="#by-hand")
    desk.lay(list(parse_tiles("5555s123m456p11z7p")))
    desk.fill("drawn", "8p")
    desk.fill("indicator", "9m")
    kong = desk.page.locator('#advice [data-kong="5s"]')
    kong.wait_for()
    assert "杠" in kong.inner_text()


def test_why_is_this_fourteen(open_desk: Any) -> None:
    """Seed: 捉伍儿本混儿龙 14: 本混儿×（捉伍儿＋龙）."""
    desk = open_desk(PHONE, "en-US", at="#by-hand")
    desk.lay(list(parse_tiles("1234m6789m23p7m11z")))
    desk.fill("drawn", "5m")
    desk.fill("indicator", "6m")
    desk.expect("win", "(3+4)×2 = 14")
    text = desk.page.locator("#answer").inner_text()
    for word in ("捉伍儿", "本混儿", "龙", "The dragon is in the same suit as the jokers."):
        assert word in text


def test_why_may_i_not_win_yet(open_desk: Any) -> None:
    """Seed: "最低分数2分…即不允许“屁和”"."""
    desk = open_desk(at="#by-hand")
    desk.lay(list(parse_tiles("234p567p345s22z7m6s")))
    desk.fill("indicator", "7m")
    desk.fill("drawn", "7s")
    desk.expect("no_win", "2 番")
    assert "起和" in desk.page.locator("#answer .reasons").inner_text()


def test_is_this_a_xianggong(open_desk: Any) -> None:
    desk = open_desk(at="#by-hand")
    desk.lay(list(parse_tiles("123456789m123p")))
    desk.expect("impossible", "小相公")
    desk.page.locator("#clear").click()
    desk.lay(list(parse_tiles("123456789m123p123s")))
    desk.expect("impossible", "大相公")


def test_what_does_each_of_us_pay_and_who_is_dealer_next(open_desk: Any) -> None:
    """Seed: the winner is paid by all three; with 坐庄 the dealer pays double; the deal passes."""
    desk = open_desk(PHONE, at="#sheet")
    desk.begin(["王", "李", "赵", "钱"])
    desk.settle(3, 4, ("zuo",))
    owed = desk.page.locator("#view-sheet .owed").inner_text()
    assert "王 给 钱" in owed
    deltas = desk.page.locator("#view-sheet [data-delta]").all_inner_texts()
    assert deltas == ["−8", "−4", "−4", "+16"]
    assert "轮到李坐庄" in desk.page.locator("#view-sheet .next-dealer").inner_text()
    desk.enter()
    assert "下一盘李坐庄" in desk.page.locator("#view-sheet .where").inner_text()


def test_where_do_we_break_the_wall(open_desk: Any) -> None:
    desk = open_desk(PHONE, at="#opening")
    desk.roll(2, 3)
    assert "五九自手" in desk.page.locator(".guide .steps").inner_text()
    desk.roll(4, 4)
    assert "从庄家的左手边往右数，数到第 13 墩" in desk.page.locator(".guide .steps").inner_text()


def test_what_is_zhuowu(open_desk: Any) -> None:
    desk = open_desk(PHONE, at="#learn/words")
    term = desk.page.locator(".terms div", has_text="捉伍儿").filter(has_text="四伍六万").first
    term.locator("a").click()
    body = desk.page.locator("#fan-zhuowu .topic-body")
    body.wait_for()
    drawn = body.locator(".is-drawn")
    assert "伍万" in (drawn.get_attribute("aria-label") or "")
    assert "四伍六万" in body.inner_text()
