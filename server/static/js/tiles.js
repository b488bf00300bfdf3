// Tile pictures and tile buttons.

import { h } from "./dom.js";
import { t, tileName } from "./words.js";

export const pictureOf = (code, joker = false) =>
  `/tiles/${code}.svg${joker && code !== "back" && !code.startsWith("die") ? "?joker=1" : ""}`;

/** A tile picture; `alt` empty where a name stands beside it. */
export function picture(code, { joker = false, alt = "", className = "" } = {}) {
  return h("img", {
    src: pictureOf(code, joker), alt, width: 60, height: 80, class: `tile ${className}`,
    draggable: "false",
  });
}

/** Everything one should hear about a tile. */
export function describe(tile, { joker, place }) {
  return [
    tileName(tile.code),
    joker && t("isJoker"),
    place,
    tile.doubtful && t("uncertain"),
  ].filter(Boolean).join(", ");
}

const RUNS = /((?:[1-9]+[mps]|[1-7]+z)+)/;

/** A sentence with the tiles in it, such as 123m or 7z, as small pictures. */
export function withTiles(text) {
  return text.split(RUNS).map((part, at) => (at % 2 ? h("span", { class: "inline-tiles" },
    [...part.matchAll(/([1-9]+)([mpsz])/g)].flatMap(([, ranks, suit]) =>
      [...ranks].map((rank) => picture(rank + suit, { alt: tileName(rank + suit) })))) : part));
}
