// What a tap on a live tile opens: which tile it is, where it belongs, that it is not there.

import { openPicker } from "./picker.js";
import { t, tileName } from "./words.js";

const SEATS = [0, 1, 2, 3];
const SET = 3;

const middle = ({ box: [x1, y1, x2, y2] }) => [(x1 + x2) / 2, (y1 + y2) / 2];

function distance(one, other) {
  const [[x, y], [u, v]] = [middle(one), middle(other)];
  return Math.hypot(x - u, y - v);
}

/** The tile and the nearest ones of its face that lie in the same part: what was laid out with it. */
export function withLikes(tile, tiles) {
  const hand = ["hand", "drawn"];
  const part = hand.includes(tile.role) ? hand : [tile.role];
  const likes = tiles.filter((one) => one.id !== tile.id && one.tile === tile.tile
    && one.seat === tile.seat && part.includes(one.role));
  if (likes.length < SET - 1 || tile.role === "meld") return [tile.id];
  likes.sort((a, b) => distance(tile, a) - distance(tile, b));
  return [tile.id, ...likes.slice(0, SET - 1).map((one) => one.id)];
}

const setOf = (tile, tiles) => tiles.filter((one) => one.role === "meld" && one.seat === tile.seat
  && one.group === tile.group).map((one) => one.id);

function places(tile, tiles, put) {
  const item = (label, ids, role, seat) => ({
    label, pressed: tile.role === role && (seat === null || tile.seat === seat),
    run: () => put({ ids, role, seat }),
  });
  const one = [tile.id];
  const of = (role, ids, seats = SEATS) => seats.map((seat) => item(t(`seat${seat}`), ids, role, seat));
  return [
    {
      group: t("liveMoveTo"),
      items: [
        item(t("myHand"), one, "hand", 0), item(t("myDrawn"), one, "drawn", 0),
        item(t("indicator"), one, "indicator", null), item(t("liveAsidePlace"), one, "loose", null),
        ...(tile.role === "meld" ? [{ label: t("liveSetToHand"), run: () => put({ ids: setOf(tile, tiles), role: "hand", seat: tile.seat }) }] : []),
      ],
    },
    { group: t("liveMeldOf"), items: of("meld", withLikes(tile, tiles)) },
    { group: t("livePondOf"), items: of("pond", one) },
    { group: t("liveHandOf"), items: of("hand", one, SEATS.slice(1)) },
  ];
}

/**
 * Ask about one tile.
 *
 * @param {object} session of /api/live
 * @param {object} tile one of its state's tiles
 * @param {function} put sends a correction
 */
export function chooseTile(session, tile, put) {
  const { state: seen, corrected, placed, added } = session;
  const die = tile.tile.startsWith("die");
  const items = [{ label: t("noTileHere"), danger: true, run: () => put({ id: tile.id, nothing: true }) }];
  const said = { ...(corrected.includes(tile.id) ? { tile: null } : {}), ...(placed.includes(tile.id) ? { role: null } : {}) };
  if (Object.keys(said).length && !added.includes(tile.id)) {
    items.unshift({ label: t("takeBack"), run: () => put({ id: tile.id, ...said }) });
  }
  openPicker({
    title: t("pickCorrect"), jokers: seen.jokers, chosen: tile.tile, faceDown: true, dice: die,
    likely: (tile.alternatives ?? []).filter(([code]) => die || !code.startsWith("die")),
    actions: [...(die ? [] : places(tile, seen.tiles, put)), { group: "", items }],
    onpick: (code) => put({ id: tile.id, tile: code }),
  });
}

/** Ask about a place of which it was said that no tile lies there. */
export function chooseAbsent(session, tile, put) {
  openPicker({
    title: t("liveAbsentAsk"), note: t("liveAbsentTile", { tile: tileName(tile.tile) }),
    jokers: session.state.jokers, chosen: null, faceDown: false,
    actions: [{ group: "", items: [{ label: t("takeBack"), run: () => put({ id: tile.id, role: null }) }] }],
    onpick: (code) => put({ id: tile.id, role: null, tile: code }),
  });
}

/** Ask for the turned tile by its face. */
export function chooseIndicator({ named, state: seen }, put) {
  const items = named.indicator === null ? []
    : [{ label: t("takeBack"), run: () => put({ indicator: null }) }];
  openPicker({
    title: t("pickIndicator"), jokers: [], chosen: named.indicator ?? seen.indicator, faceDown: false,
    actions: items.length ? [{ group: t("indicator"), items }] : [],
    onpick: (code) => put({ indicator: code }),
  });
}
