// What holds for one hand of the live table: advice taken out, doubts left as they are on this page.

const BEGINS = ["rolled", "flipped", "cleared"];
// The tiles of my hand are others after every turn; a wrong number of them is still the same doubt.
const tilesOf = (doubt) => (doubt.code === "hand_count" ? [] : doubt.tiles);
const nameOf = (doubt) => JSON.stringify([doubt.code, doubt.move, tilesOf(doubt), doubt.zh]);

/** `onnext()` is called when another hand, or another table, begins. */
export function makeHands(onnext) {
  const left = new Set();
  let hand = null;

  return {
    follow(session) {
      const begun = (session?.events ?? []).filter((one) => BEGINS.includes(one.event)).at(-1);
      const before = hand;
      const number = session?.number ?? 0;
      // Only the newest events are told: the beginning of a long hand is not among them any more.
      hand = { number, at: begun?.wall ?? (before?.number === number ? before.at : 0) };
      if (before && before.number === number && before.at === hand.at) return;
      left.clear();
      if (before) onnext();
    },

    leave: (doubt) => left.add(nameOf(doubt)),

    /** The doubts of a session that were not left as they are. */
    open: (session) => (session?.state?.doubts ?? []).filter((doubt) => !left.has(nameOf(doubt))),
  };
}
