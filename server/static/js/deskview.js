// The table as tile pictures: hand, drawn tile, melds, turned tile, aside; walked by keyboard.

import { h } from "./dom.js";
import { placeOf, walk } from "./table.js";
import { describe, picture } from "./tiles.js";
import { t, tileName } from "./words.js";

function tileButton(table, id, { jokers, place, turned }) {
  const tile = table.tiles[id];
  const joker = place !== "indicator" && jokers.includes(tile.code);
  const marks = ["tile-button", tile.doubtful && "doubtful", turned && "turned"];
  return h("button", {
    type: "button", class: marks.filter(Boolean).join(" "), "data-tile": id, tabindex: "-1",
    "aria-label": describe(tile, { joker, place: t(place === "aside" ? "asidePlace" : place) }),
  }, picture(turned ? "back" : tile.code, { joker }),
  tile.doubtful && h("span", { class: "mark", "aria-hidden": "true" }, "?"));
}

function group(name, label, ...children) {
  return h("div", { class: `group ${name}`, role: "group", "aria-label": label },
    h("h3", {}, label), h("div", { class: "row" }, children));
}

function slot(place, label) {
  return h("button", { type: "button", class: "slot", "data-slot": place, "aria-label": label },
    h("span", { "aria-hidden": "true" }, "+"));
}

/** A concealed kong lies with its outer tiles face down. */
function meldGroup(table, meld, jokers) {
  const tiles = meld.ids.map((id, index) => tileButton(table, id, {
    jokers, place: meld.kind,
    turned: meld.kind === "gang_concealed" && (index === 0 || index === meld.ids.length - 1),
  }));
  return group("meld", `${t(meld.kind)} ${tileName(meld.code)}`, tiles);
}

function jokerGroup(jokers) {
  const tiles = jokers.map((code) =>
    h("span", { class: "still" }, picture(code, { joker: true, alt: tileName(code) })));
  return group("jokers", t("jokersAre"), tiles);
}

/** Draw the table into `root` and keep `focused` (a tile id) in the tab order. */
export function drawDesk(root, table, { jokers, focused }) {
  const button = (place) => (id) => tileButton(table, id, { jokers, place });
  const hand = group("hand", t("handCount", { n: table.hand.length }),
    table.hand.length ? table.hand.map(button("hand")) : slot("hand", t("addTile")));
  const drawn = group("drawn", t("drawn"),
    table.drawn === null ? slot("drawn", `${t("drawn")}: ${t("drawnNone")}`)
      : button("drawn")(table.drawn));
  const indicator = group("indicator", t("indicator"),
    table.indicator === null ? slot("indicator", `${t("indicator")}: ${t("indicatorNone")}`)
      : button("indicator")(table.indicator));
  const hadFocus = root.contains(document.activeElement);
  root.replaceChildren(
    h("div", { class: "line" }, hand, drawn, table.melds.map((meld) => meldGroup(table, meld, jokers)),
      indicator, jokers.length ? jokerGroup(jokers) : null),
    ...(table.aside.length
      ? [h("div", { class: "line small" }, group("aside", t("aside"), table.aside.map(button("aside"))))]
      : []),
  );
  const order = walk(table);
  const current = order.includes(focused) ? focused : order[0];
  const target = current === undefined ? null : root.querySelector(`[data-tile="${current}"]`);
  if (target) {
    target.tabIndex = 0;
    if (hadFocus) target.focus();
  } else if (hadFocus) {
    root.querySelector(".slot")?.focus();
  }
}

/** What typed letters mean: digits wait for a suit letter; b is a tile face down. */
export class TypedTile {
  constructor() {
    this.digit = "";
  }

  /** The code a key completes, or null. */
  take(key) {
    const letter = key.toLowerCase();
    if (/^[1-9]$/.test(letter)) {
      this.digit = letter;
      return null;
    }
    const digit = this.digit;
    this.digit = "";
    if (letter === "b") return "back";
    if (digit && "mpsz".includes(letter) && letter.length === 1) {
      return letter === "z" && digit > "7" ? null : digit + letter;
    }
    return null;
  }
}

/** The tile a walking key leads to from `id`, or null when the key does not walk. */
export function walkKey(table, id, key) {
  const order = walk(table);
  const at = order.indexOf(id);
  if (key === "Home") return order[0];
  if (key === "End") return order.at(-1);
  if (key === "ArrowLeft") return order[Math.max(at - 1, 0)];
  if (key === "ArrowRight") return order[Math.min(at + 1, order.length - 1)];
  if (key !== "ArrowUp" && key !== "ArrowDown") return null;
  // Up and down lead to the group before or after.
  const step = key === "ArrowDown" ? 1 : -1;
  const where = (one) => {
    const { place, meld } = placeOf(table, one);
    return meld ? meld.id : place;
  };
  let next = at;
  while (order[next] !== undefined && where(order[next]) === where(id)) next += step;
  return order[next] ?? id;
}
