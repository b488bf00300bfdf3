// From the live table to a question about one hand, and to the score desk.

import { desk } from "./desk.js";
import { newestPicture } from "./livefeed.js";
import { rulesInForce } from "./ruleoptions.js";
import { goTo } from "./views.js";
import { t } from "./words.js";

const isFace = (code) => /^([1-9][mps]|[1-7]z)$/.test(code);
const byPlace = (tiles) => [...tiles].sort((a, b) => a.x - b.x);

/** The exposed sets of a seat: {kind, tile, tiles (ids)}; what makes no set is left out. */
function setsOf(state, seat) {
  const groups = new Map();
  for (const tile of byPlace(state.tiles)) {
    if (tile.role !== "meld" || tile.seat !== seat) continue;
    groups.set(tile.group, [...(groups.get(tile.group) ?? []), tile]);
  }
  return [...groups.values()].map((tiles) => {
    const names = new Set(tiles.filter((one) => isFace(one.tile)).map((one) => one.tile));
    const backs = tiles.some((one) => one.tile === "back");
    if (names.size !== 1 || tiles.length < 3 || tiles.length > 4) return null;
    const open = tiles.length === 4 ? "gang_open" : "pong";
    return { kind: backs ? "gang_concealed" : open, tile: [...names][0], tiles: tiles.map((one) => one.id) };
  }).filter(Boolean);
}

/** A seat's hand by its tiles, and everything else that lies open. */
function parts(state, seat) {
  const mine = (role) => byPlace(state.tiles.filter((one) => one.seat === seat && one.role === role && one.tile !== "back"));
  const melds = setsOf(state, seat);
  const hand = mine("hand");
  const drawn = mine("drawn")[0] ?? null;
  const used = new Set([...hand, ...(drawn ? [drawn] : [])].map((one) => one.id).concat(melds.flatMap((one) => one.tiles)));
  const turned = state.tiles.find((one) => one.role === "indicator") ?? null;
  const others = state.tiles.filter((one) => isFace(one.tile) && !used.has(one.id) && one !== turned);
  return { hand, drawn, melds, turned, others };
}

/** What /api/score and /api/advise are asked about a seat's hand, by the rules of the live table. */
export function requestOf(session, seat) {
  const { state } = session;
  const { hand, drawn, melds, others } = parts(state, seat);
  const advice = state.analysis.find((one) => one.seat === seat)?.advice;
  // What lies aside is nobody's: the analysis does not count it among the tiles that are gone either.
  const open = others.filter((one) => one.role !== "loose").map((one) => one.tile);
  return {
    hand: hand.map((one) => one.tile), drawn: drawn?.tile ?? null,
    melds: melds.map(({ kind, tile }) => ({ kind, tile })), indicator: state.turned,
    aside: open, options: advice?.options ?? rulesInForce(),
  };
}

/** The seats whose hands show whole enough to be scored. */
export function scorableSeats(state) {
  return state.seats.filter(({ seat, hand, melds, drawn }) => {
    const count = hand.length + (drawn ? 1 : 0) + 3 * melds.length;
    return hand.length > 0 && (seat === 0 || count >= 13);
  }).map(({ seat }) => seat);
}

/** Lay a seat's hand on the score desk with the picture it was seen in, and go there. */
export async function toDesk(session, seat) {
  const { state } = session;
  const { hand, drawn, melds, turned, others } = parts(state, seat);
  const url = await newestPicture();
  const shown = [...hand, ...(drawn ? [drawn] : []), ...(turned ? [turned] : []), ...others,
    ...state.tiles.filter((one) => melds.some((meld) => meld.tiles.includes(one.id)))];
  const said = new Set([...session.corrected, ...session.added]);
  const ids = (tiles) => tiles.map((one) => one.id);
  desk.takeLive({
    photo: { width: state.width, height: state.height, name: t("livePhotoName") },
    notes: [], doubts: [], tile_set: null,
    tiles: [...new Set(shown)].map(({ id, tile, box, confidence, alternatives, doubtful }) =>
      ({ id, tile, box, confidence, alternatives: alternatives ?? [], doubtful: Boolean(doubtful) && !said.has(id) })),
    layout: {
      hand: ids(hand), drawn: drawn?.id ?? null, aside: ids(others), indicator: turned?.id ?? null,
      melds,
    },
  }, url, state.turned);
  goTo("score");
}
