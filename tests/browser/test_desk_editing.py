"""Editing without a photo: melds, candidates, waits, options, keyboard, undo."""

from __future__ import annotations

from typing import Any

from rules import parse_tiles


def tiles(text: str) -> list[str]:
    return list(parse_tiles(text))


def test_waits_are_tiles_grouped_by_score_and_tapping_one_draws_it(open_desk: Any) -> None:
    """A lone joker waits for any tile: 混儿吊, 2 番 (seed)."""
    desk = open_desk(at="#by-hand")
    desk.lay(tiles("123m678p678s222z1p"))
    desk.fill("indicator", "1p")
    desk.expect("waits", "听任意一张牌")
    desk.page.locator('[data-wait="6m"]').click()
    desk.expect("win", "混儿吊")
    assert desk.codes("drawn") == ["6m"]


def test_candidates_say_what_each_tile_would_score(open_desk: Any) -> None:
    """Seed: 捉伍儿 counts only for the 5m kept apart: 没混儿捉伍儿 6, else 没混儿 2."""
    desk = open_desk(at="#by-hand")
    desk.lay(tiles("456m123p789s222z11p"))
    desk.fill("indicator", "9m")
    desk.expect("candidates", "6 番")
    assert "2 番" in desk.page.locator('[data-candidate="4m"]').inner_text()
    desk.page.locator('[data-candidate="5m"]').click()
    desk.expect("win", "没混儿捉伍儿")
    desk.expect("win", "6 番")


def test_jokers_are_marked_and_say_what_they_stand_for(open_desk: Any) -> None:
    """捉伍儿本混儿龙 (seed: 14); the third joker stands for a tile it is not."""
    desk = open_desk(at="#by-hand")
    desk.lay(tiles("1234m6789m23p7m11z"))
    desk.fill("drawn", "5m")
    desk.fill("indicator", "6m")
    desk.expect("win", "14 番")
    desk.expect("win", "当一饼")
    marked = desk.page.locator('#table .group.hand img[src$="?joker=1"]')
    assert marked.count() == 3
    assert "混儿" in desk.page.locator("[data-tile] >> nth=4").get_attribute("aria-label")


def test_melds_are_laid_changed_and_taken_back(open_desk: Any) -> None:
    desk = open_desk(at="#by-hand")
    desk.lay(tiles("777z5555s11m234p6m7m"))
    desk.page.locator("#table .group.hand .tile-button").nth(0).click()
    desk.action("碰")
    assert desk.codes("meld") == ["7z", "7z", "7z"]
    desk.page.locator("#table .group.hand .tile-button").nth(0).click()
    desk.action("暗杠")
    assert desk.codes("meld") == ["7z", "7z", "7z", "back", "5s", "5s", "back"]
    assert desk.codes("hand") == tiles("11m234p6m7m")
    desk.fill("drawn", "5m")
    desk.fill("indicator", "1z")
    desk.expect("win", "没混儿")
    desk.page.locator("#flag-gang_draw").check()
    desk.expect("win", "杠开")
    desk.page.locator("#table .group.meld .tile-button").nth(0).click()
    desk.action("拆回手牌")
    assert desk.codes("meld") == ["back", "5s", "5s", "back"]
    desk.page.locator("#undo").click()
    assert desk.codes("meld")[:3] == ["7z", "7z", "7z"]


def test_options_change_the_score_and_are_remembered(open_desk: Any) -> None:
    """刮大风: 混儿吊 alone is no win (seed: "不准和混儿吊")."""
    desk = open_desk(at="#by-hand")
    desk.lay(tiles("123m678p678s222z1p"))
    desk.fill("indicator", "1p")
    desk.fill("drawn", "6m")
    desk.expect("win", "混儿吊")
    desk.page.locator("#preset-guadafeng").check()
    desk.expect("no_win", "混儿吊")
    desk.page.reload()
    desk.ready()
    assert desk.page.locator("#preset-guadafeng").is_checked()
    desk.page.locator("#preset-default").check()
    desk.page.locator("#option-min_fan").fill("3")
    desk.page.keyboard.press("Tab")
    assert not desk.page.locator("#preset-default").is_checked()


def test_impossible_hands_say_what_is_missing(open_desk: Any) -> None:
    desk = open_desk(at="#by-hand")
    desk.lay(tiles("123m"))
    desk.expect("impossible", "加牌")
    desk.page.locator("#clear").click()
    desk.expect("empty")


def test_keyboard_alone_is_enough(open_desk: Any) -> None:
    """Arrows walk, Enter opens, 5m changes, Delete removes, Ctrl+Z and Ctrl+Y go back and on."""
    desk = open_desk(at="#by-hand")
    keyboard = desk.page.keyboard
    desk.page.locator("#by-hand").focus()
    keyboard.press("Enter")
    for _ in range(2):
        keyboard.press("Enter")  # the first tile of the grid, 一万, twice
    keyboard.press("ArrowRight")
    keyboard.press("Enter")
    keyboard.press("ArrowDown")
    keyboard.press("Enter")
    keyboard.press("Escape")
    assert desk.codes("hand") == ["1m", "1m", "2m", "2p"]
    desk.page.locator('#table [data-tile][tabindex="0"]').focus()
    keyboard.press("End")
    keyboard.type("7z")
    assert desk.codes("hand")[-1] == "7z"
    keyboard.press("ArrowLeft")
    keyboard.press("Delete")
    assert desk.codes("hand") == ["1m", "1m", "7z"]
    focused = desk.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused.startswith("中"), "the focus goes to the neighbour"
    keyboard.press("Home")
    keyboard.press("Enter")
    desk.page.locator("#picker[open]").wait_for()
    keyboard.press("Escape")
    assert desk.page.evaluate("document.activeElement.dataset.tile") is not None
    keyboard.press("Control+z")
    assert desk.codes("hand") == ["1m", "1m", "2m", "7z"]
    keyboard.press("Control+z")
    assert desk.codes("hand") == ["1m", "1m", "2m", "2p"]
    keyboard.press("Control+y")
    assert desk.codes("hand") == ["1m", "1m", "2m", "7z"]


WALK = """async (seed) => {
  const table = await import("/static/js/table.js");
  const {History} = await import("/static/js/history.js");
  let state = seed;
  const random = (n) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % n;
  };
  const one = (list) => list[random(list.length)];
  const problems = [];
  const check = (now, what) => {
    const placed = table.walk(now);
    if (new Set(placed).size !== placed.length) problems.push(`${what}: a tile lies twice`);
    const known = Object.keys(now.tiles).map(Number).sort((a, b) => a - b);
    if ([...placed].sort((a, b) => a - b).join() !== known.join()) {
      problems.push(`${what}: places and tiles differ`);
    }
    for (const meld of now.melds) {
      if (meld.ids.length !== table.MELD_SIZE[meld.kind]) problems.push(`${what}: size of meld`);
    }
  };
  const history = new History(table.emptyTable());
  const steps = [JSON.stringify(history.value)];
  for (let n = 0; n < 250; n++) {
    const now = history.value;
    const ids = table.walk(now);
    const id = ids.length ? one(ids) : null;
    const kinds = ["pong", "gang_open", "gang_concealed"];
    const places = ["hand", "drawn", "indicator", "aside"];
    const acts = {
      add: () => table.add(now, one([...table.ALL_TILES.slice(0, 6), "back"]), one(places)),
      setIndicator: () => table.setIndicator(now, one(table.ALL_TILES)),
      sort: () => table.sortHand(now),
      flag: () => table.setFlag(now, one(["gang_draw", "heavenly", "earthly"]), true),
      ...(id === null ? {} : {
        code: () => table.setCode(now, id, one([...table.ALL_TILES.slice(0, 6), "back"])),
        move: () => table.moveTo(now, id, one(places)),
        remove: () => table.remove(now, id),
        meld: () => table.makeMeld(now, id, one(kinds)),
      }),
      ...(now.melds.length ? {
        kind: () => table.setMeldKind(now, one(now.melds).id, one(kinds)),
        break: () => table.breakMeld(now, one(now.melds).id),
        drop: () => table.dropMeld(now, one(now.melds).id),
      } : {}),
    };
    const name = one(Object.keys(acts));
    if (history.push(acts[name]())) steps.push(JSON.stringify(history.value));
    check(history.value, name);
  }
  const end = history.value;
  while (history.undo()) {
    steps.pop();
    if (JSON.stringify(history.value) !== steps.at(-1)) problems.push("undo is not exact");
  }
  while (history.redo());
  if (history.value !== end) problems.push("redo does not lead back");
  return [...new Set(problems)];
}"""


def test_any_walk_of_edits_keeps_every_tile_in_one_place(open_desk: Any) -> None:
    """250 random edits: no tile is lost or doubled, melds keep their size, undo is exact."""
    page = open_desk(at="#by-hand").page
    for seed in (1, 22, 333, 4444):
        assert page.evaluate(WALK, seed) == [], seed
