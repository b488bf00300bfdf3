// The edited table as plain values: every function takes a table and returns a new one.
//
// A table is {tiles, hand, drawn, melds, indicator, aside, flags}. `tiles` maps an id to
// {id, code, box, confidence, alternatives, doubtful}; the places hold ids. A meld is
// {id, kind, code, ids}: what it is counts, not which of its tiles lie face down.

export const MELD_SIZE = { pong: 3, gang_open: 4, gang_concealed: 4 };
export const ALL_TILES = [
  ...["m", "p", "s"].flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${n}${suit}`)),
  ...[1, 2, 3, 4, 5, 6, 7].map((n) => `${n}z`),
];
const FLAGS = { gang_draw: false, heavenly: false, earthly: false };

export function emptyTable() {
  return {
    tiles: {}, hand: [], drawn: null, melds: [], indicator: null, aside: [],
    flags: { ...FLAGS }, settled: [],
  };
}

/** The table of a reading as /api/read answers it. */
export function tableFromReading(reading) {
  const table = emptyTable();
  for (const tile of reading.tiles) {
    table.tiles[tile.id] = {
      id: tile.id,
      code: tile.tile,
      box: tile.box,
      confidence: tile.confidence,
      alternatives: tile.alternatives,
      doubtful: tile.doubtful,
    };
  }
  const { layout } = reading;
  let next = freshId(table);
  return {
    ...table,
    hand: [...layout.hand],
    drawn: layout.drawn,
    // A lone tile is only a guess at the turned one; a doubt asks, and nobody's score moves unasked.
    aside: [...(layout.indicator === null ? [] : [layout.indicator]), ...layout.aside],
    melds: layout.melds.map((meld) => ({
      id: next++, kind: meld.kind, code: meld.tile, ids: [...meld.tiles],
    })),
  };
}

export function freshId(table) {
  const used = [...Object.keys(table.tiles).map(Number), ...table.melds.map((meld) => meld.id)];
  return used.length ? Math.max(...used) + 1 : 1;
}

/** Where a tile lies: {place, meld} with place hand, drawn, meld, indicator, aside or null. */
export function placeOf(table, id) {
  if (table.drawn === id) return { place: "drawn" };
  if (table.indicator === id) return { place: "indicator" };
  if (table.hand.includes(id)) return { place: "hand" };
  if (table.aside.includes(id)) return { place: "aside" };
  const meld = table.melds.find((one) => one.ids.includes(id));
  return meld ? { place: "meld", meld } : { place: null };
}

/** How many of a tile nobody can see: four less those on the table. */
export function unseen(table, code) {
  const seen = Object.values(table.tiles).filter((tile) => tile.code === code).length;
  return Math.max(4 - seen, 0);
}

/** Every tile in reading order, the order in which the keyboard walks. */
export function walk(table) {
  return [
    ...table.hand,
    ...(table.drawn === null ? [] : [table.drawn]),
    ...table.melds.flatMap((meld) => meld.ids),
    ...(table.indicator === null ? [] : [table.indicator]),
    ...table.aside,
  ];
}

function lift(table, id) {
  return {
    ...table,
    hand: table.hand.filter((one) => one !== id),
    drawn: table.drawn === id ? null : table.drawn,
    indicator: table.indicator === id ? null : table.indicator,
    aside: table.aside.filter((one) => one !== id),
    melds: table.melds.map((meld) =>
      meld.ids.includes(id) ? { ...meld, ids: meld.ids.filter((one) => one !== id) } : meld),
  };
}

function withTile(table, tile) {
  return { ...table, tiles: { ...table.tiles, [tile.id]: tile } };
}

/** Say what a tile is. In a meld the whole meld becomes that tile. */
export function setCode(table, id, code) {
  const { place, meld } = placeOf(table, id);
  if (place === "meld" && code !== "back") {
    const tiles = { ...table.tiles };
    for (const one of meld.ids) {
      const hidden = tiles[one].code === "back";
      tiles[one] = { ...tiles[one], code: hidden && one !== id ? "back" : code, doubtful: false };
    }
    const melds = table.melds.map((one) => (one === meld ? { ...meld, code } : one));
    return { ...table, tiles, melds };
  }
  return withTile(table, { ...table.tiles[id], code, doubtful: false });
}

/** Put a tile in hand, drawn, indicator or aside; what lay on a single place goes on. */
export function moveTo(table, id, place) {
  const { place: from, meld } = placeOf(table, id);
  if (from === "meld") return moveTo(breakMeld(table, meld.id), id, place);
  if (from === place) return table;
  const lifted = lift(table, id);
  if (place === "drawn") {
    const hand = lifted.drawn === null ? lifted.hand : [...lifted.hand, lifted.drawn];
    return { ...lifted, hand, drawn: id };
  }
  if (place === "indicator") {
    const old = lifted.indicator;
    const kept = old !== null && lifted.tiles[old].box;
    return {
      ...(old !== null && !kept ? remove(lifted, old) : lifted),
      aside: kept ? [...lifted.aside, old] : lifted.aside,
      indicator: id,
    };
  }
  return { ...lifted, [place]: [...lifted[place], id] };
}

/** Discard a tile by its face: the drawn one if it fits, else one of the hand; it lies aside then. */
export function discard(table, code) {
  const is = (id) => id !== null && table.tiles[id].code === code;
  const id = is(table.drawn) ? table.drawn : table.hand.find(is);
  if (id === undefined) return table;
  const out = moveTo(table, id, "aside");
  return out.drawn === null ? out : { ...out, hand: [...out.hand, out.drawn], drawn: null };
}

/** The table of a hand as the rules give it: {concealed, drawn, melds, indicator, flags}. */
export function tableFromHand(hand) {
  let table = emptyTable();
  for (const code of hand.concealed) table = add(table, code, "hand");
  if (hand.drawn) table = add(table, hand.drawn, "drawn");
  for (const meld of hand.melds) {
    table = completeMeld(table, { id: freshId(table), kind: meld.kind, code: meld.tile, ids: [] });
  }
  if (hand.indicator) table = setIndicator(table, hand.indicator);
  return { ...table, flags: { ...FLAGS, ...hand.flags } };
}

/** Choose the turned tile by its face, whether or not the photo shows it. */
export function setIndicator(table, code) {
  if (table.indicator !== null) {
    return setCode(table, table.indicator, code);
  }
  return add(table, code, "indicator");
}

export function remove(table, id) {
  const { place, meld } = placeOf(table, id);
  const base = place === "meld" ? breakMeld(table, meld.id) : table;
  const tiles = { ...base.tiles };
  delete tiles[id];
  return { ...lift(base, id), tiles };
}

export function add(table, code, place = "hand") {
  return put(table, { id: freshId(table), code, box: null, confidence: null, alternatives: [], doubtful: false }, place);
}

/** Lay a tile with an id of its own in hand, drawn, indicator or aside. */
export const put = (table, tile, place) => moveTo(withTile(table, tile), tile.id, place === "meld" ? "hand" : place);

/** Lay a tile out as 碰, 明杠 or 暗杠 with its likes from the hand; missing ones are added. */
export function makeMeld(table, id, kind) {
  const { place, meld } = placeOf(table, id);
  if (place === "meld") return setMeldKind(table, meld.id, kind);
  const { code } = table.tiles[id];
  if (code === "back") return table;
  const same = (one) => one !== id && table.tiles[one].code === code;
  const ids = [id, ...table.hand.filter(same), ...table.aside.filter(same)];
  if (kind === "gang_concealed") {
    ids.push(...table.aside.filter((one) => table.tiles[one].code === "back"));
  }
  let next = table;
  const taken = ids.slice(0, MELD_SIZE[kind]);
  for (const one of taken) next = lift(next, one);
  return completeMeld(next, { id: freshId(next), kind, code, ids: taken });
}

/** Lay these tiles out as a meld {kind, code}, wherever they lie; missing ones are added. */
export function layMeld(table, { kind, code }, ids) {
  let next = table;
  for (const id of ids) {
    const { meld } = placeOf(next, id);
    if (meld) next = breakMeld(next, meld.id);
    next = lift(next, id);
    const hidden = next.tiles[id].code === "back";
    next = withTile(next, { ...next.tiles[id], code: hidden ? "back" : code, doubtful: false });
  }
  return completeMeld(next, { id: freshId(next), kind, code, ids });
}

function completeMeld(table, meld) {
  let next = { ...table, melds: [...table.melds, meld] };
  const ids = [...meld.ids];
  while (ids.length < MELD_SIZE[meld.kind]) {
    const id = freshId(next);
    next = withTile(next, {
      id, code: meld.code, box: null, confidence: null, alternatives: [], doubtful: false,
    });
    ids.push(id);
  }
  return { ...next, melds: next.melds.map((one) => (one === meld ? { ...meld, ids } : one)) };
}

/** Another kind for a meld; a tile too many goes back to the hand, a missing one is added. */
export function setMeldKind(table, meldId, kind) {
  const meld = table.melds.find((one) => one.id === meldId);
  if (!meld || meld.kind === kind) return table;
  const spare = meld.ids.slice(MELD_SIZE[kind]);
  const others = table.melds.filter((one) => one !== meld);
  const base = { ...table, melds: others, hand: [...table.hand, ...spare] };
  return completeMeld(base, { ...meld, kind, ids: meld.ids.slice(0, MELD_SIZE[kind]) });
}

/** Take a meld apart: its tiles go back to the hand, face up. */
export function breakMeld(table, meldId) {
  const meld = table.melds.find((one) => one.id === meldId);
  if (!meld) return table;
  const tiles = { ...table.tiles };
  for (const id of meld.ids) tiles[id] = { ...tiles[id], code: meld.code, doubtful: false };
  return {
    ...table,
    tiles,
    melds: table.melds.filter((one) => one !== meld),
    hand: [...table.hand, ...meld.ids],
  };
}

/** Remove a meld with its tiles. */
export function dropMeld(table, meldId) {
  const meld = table.melds.find((one) => one.id === meldId);
  if (!meld) return table;
  const tiles = { ...table.tiles };
  for (const id of meld.ids) delete tiles[id];
  return { ...table, tiles, melds: table.melds.filter((one) => one !== meld) };
}

export function sortHand(table) {
  const rank = (id) => {
    const index = ALL_TILES.indexOf(table.tiles[id].code);
    return index < 0 ? ALL_TILES.length : index;
  };
  return { ...table, hand: [...table.hand].sort((a, b) => rank(a) - rank(b)) };
}

export function setFlag(table, name, value) {
  const flags = { ...table.flags, [name]: value };
  // A dealer and a non-dealer cannot both win at once.
  if (value && name === "heavenly") flags.earthly = false;
  if (value && name === "earthly") flags.heavenly = false;
  return { ...table, flags };
}

/** Remember that a doubt (by its number) has been answered. */
export function settle(table, doubt) {
  return { ...table, settled: [...table.settled, doubt] };
}

/** What /api/score is asked. */
export function scoreRequest(table, options) {
  const code = (id) => table.tiles[id].code;
  return {
    hand: table.hand.map(code),
    drawn: table.drawn === null ? null : code(table.drawn),
    melds: table.melds.map(({ kind, code: tile }) => ({ kind, tile })),
    indicator: table.indicator === null ? null : code(table.indicator),
    aside: table.aside.map(code),
    ...table.flags,
    options,
  };
}
