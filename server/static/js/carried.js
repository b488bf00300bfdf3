// What a person has changed on a photo, when the same photo is read once more.

import * as model from "./table.js";

const SAME_PLACE = 0.5; // of what two boxes cover together

function overlap([a1, b1, a2, b2], [c1, d1, c2, d2]) {
  const shared = Math.max(0, Math.min(a2, c2) - Math.max(a1, c1)) * Math.max(0, Math.min(b2, d2) - Math.max(b1, d1));
  return shared / ((a2 - a1) * (b2 - b1) + (c2 - c1) * (d2 - d1) - shared);
}

/** Ids of one reading to those of the other that lie at the same place; a turned tile without a place is the same. */
function sameTiles(read, fresh) {
  const boxed = (table) => Object.values(table.tiles).filter((tile) => tile.box);
  const pairs = boxed(read).flatMap((one) => boxed(fresh).map((other) => [overlap(one.box, other.box), one.id, other.id]));
  const same = new Map();
  const taken = new Set();
  for (const [share, one, other] of pairs.sort((a, b) => b[0] - a[0])) {
    if (share < SAME_PLACE || same.has(one) || taken.has(other)) continue;
    same.set(one, other);
    taken.add(other);
  }
  const turned = [read, fresh].map((table) => table.indicator);
  if (turned.every((id, k) => id !== null && ![read, fresh][k].tiles[id].box)) same.set(...turned);
  return same;
}

/** Whether a meld still is what it was read as. */
const isMeldOf = (table, meld) => table.melds.some((one) =>
  one.id === meld.id && one.kind === meld.kind && one.code === meld.code && one.ids.join() === meld.ids.join());

/** Take the tile out of a meld that it is not to lie in. */
function outOfMeld(table, id) {
  const { meld } = model.placeOf(table, id);
  return meld ? model.breakMeld(table, meld.id) : table;
}

/** What somebody did to the tiles of `read` until they were `edited`. */
function changesOf(read, edited) {
  const ids = Object.keys(edited.tiles).map(Number);
  const known = ids.filter((id) => read.tiles[id]);
  const laid = edited.melds.filter((meld) => !isMeldOf(read, meld));
  const inLaid = new Set(laid.flatMap((meld) => meld.ids));
  const place = (table, id) => model.placeOf(table, id).place;
  return {
    removed: Object.keys(read.tiles).map(Number).filter((id) => !edited.tiles[id]),
    laid,
    moved: known.filter((id) => !inLaid.has(id) && place(edited, id) !== "meld" && place(edited, id) !== place(read, id)),
    named: known.filter((id) => !inLaid.has(id)
      && (edited.tiles[id].code !== read.tiles[id].code || (read.tiles[id].doubtful && !edited.tiles[id].doubtful))),
    added: ids.filter((id) => !read.tiles[id] && !inLaid.has(id)),
  };
}

/**
 * The reading `fresh` with everything that was changed on the one before it.
 *
 * @param {object} read the table as it was read before
 * @param {object} edited the same as it is now
 * @param {object} fresh the table as it is read now
 * @param {object[][]} doubts of both readings, as `settled` counts them
 * @returns {{table: object, kept: number}} and how many tiles somebody had changed
 */
export function carryOver(read, edited, fresh, [doubtsBefore, doubtsNow]) {
  const same = sameTiles(read, fresh);
  const changes = changesOf(read, edited);
  const touched = new Set([...changes.moved, ...changes.named]);
  let next = fresh;
  // A tile that somebody saw and this reading does not lies there all the same.
  for (const id of touched) {
    if (same.has(id)) continue;
    same.set(id, model.freshId(next));
    next = model.put(next, { ...edited.tiles[id], id: same.get(id) }, model.placeOf(edited, id).place ?? "hand");
  }
  for (const id of changes.removed) {
    if (same.has(id) && next.tiles[same.get(id)]) next = model.remove(next, same.get(id));
  }
  for (const meld of changes.laid) {
    next = model.layMeld(next, meld, meld.ids.map((id) => same.get(id)).filter((id) => id !== undefined));
  }
  for (const id of changes.moved) next = model.moveTo(outOfMeld(next, same.get(id)), same.get(id), model.placeOf(edited, id).place);
  for (const id of changes.named) {
    const { place, meld } = model.placeOf(edited, id);
    const { code } = edited.tiles[id];
    if (place !== "meld") next = outOfMeld(next, same.get(id));
    next = model.setCode(next, same.get(id), meld && code !== "back" ? meld.code : code);
  }
  for (const id of changes.added) {
    const { place } = model.placeOf(edited, id);
    const { code } = edited.tiles[id];
    next = place === "indicator" ? model.setIndicator(next, code) : model.add(next, code, place === "meld" ? "hand" : place);
  }
  const settled = edited.settled.map((number) => {
    const { code, tiles } = doubtsBefore[number];
    return doubtsNow.findIndex((doubt) => doubt.code === code && doubt.tiles.join() === tiles.map((id) => same.get(id)).join());
  }).filter((number) => number >= 0);
  const kept = touched.size + changes.removed.length + changes.added.length + changes.laid.length;
  if (kept || settled.length || JSON.stringify(fresh.flags) !== JSON.stringify(edited.flags)) {
    next = { ...next, flags: { ...edited.flags }, settled: [...new Set([...next.settled, ...settled])] };
  }
  return { table: next, kept };
}
