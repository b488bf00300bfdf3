// What the choices of a reading's doubts do to the table.

import { makeMeld, breakMeld, moveTo, placeOf, setCode, setMeldKind } from "./table.js";

// The answer itself asks these: which tile was drawn, and what is missing for a whole hand.
const ASKED_ELSEWHERE = ["drawn_unknown", "hand_count"];

/** The doubts of a reading that the page lists. */
export const openDoubts = (reading) =>
  reading.doubts.filter((doubt) => !ASKED_ELSEWHERE.includes(doubt.code));

function asMeld(table, id, kind) {
  const { meld } = placeOf(table, id);
  return meld ? setMeldKind(table, meld.id, kind) : makeMeld(table, id, kind);
}

function asHand(table, id) {
  const { meld } = placeOf(table, id);
  return meld ? breakMeld(table, meld.id) : moveTo(table, id, "hand");
}

/** The table after a choice. */
export function applyChoice(table, doubt, choice) {
  const [id] = doubt.tiles;
  const { value } = choice;
  switch (doubt.code) {
    case "unsure_tile":
    case "die_pips":
      return setCode(table, id, value);
    case "drawn_tile":
      return moveTo(table, Number(value), "drawn");
    case "indicator_candidate":
      return moveTo(table, id, value === "indicator" ? "indicator" : "aside");
    case "gang_in_row":
      return value === "hand" ? asHand(table, id) : asMeld(table, id, value);
    case "meld_or_hand":
      return value === "hand" ? asHand(table, id) : table;
    default:
      return table;
  }
}
