// Doubts about the live table settled by a tap or two: a discard nobody saw, the opening's rolls.

import { dicePad } from "./dice.js";
import { h } from "./dom.js";
import { openDialog, openPicker } from "./picker.js";
import { sayTiles, t, tileName } from "./words.js";

export const ROLLS = 3;
const spelled = (roll) => roll.join("+");

/**
 * Do what a choice of a doubt says.
 *
 * @param {function} put sends a correction
 * @param {function} say sends the opening's rolls
 */
export function settle(doubt, { value }, put, say) {
  if (doubt.code === "dealer") return put({ dealer: Number(value) });
  if (doubt.code === "roll") return say(JSON.parse(value));
  if (doubt.code === "discard_unseen") return put({ discard: { move: doubt.move, tile: value } });
  return put({ id: doubt.tiles[0], tile: value });
}

/** Ask what a discard was that nobody saw; the ones it lies beside are named. */
export function chooseUnseen(session, doubt, put) {
  const beside = session.state.tiles.filter((one) => doubt.tiles.includes(one.id)).map((one) => tileName(one.tile));
  openPicker({
    title: sayTiles(doubt), note: beside.length ? t("unseenBeside", { tiles: beside.join(t("listComma")) }) : null,
    jokers: session.state.jokers, chosen: null, faceDown: false,
    onpick: (tile) => put({ discard: { move: doubt.move, tile } }),
  });
}

/**
 * Ask for a roll of the opening: the one at a place again, or one that was missed.
 *
 * @param {function} current answers all that are known, in order: the camera may see one meanwhile
 * @param {number|null} at which one is put right; null: one was missed, and which is asked as well
 * @param {function} say sends all rolls
 */
export function chooseRoll(current, at, say) {
  const rolls = current();
  const missed = at === null;
  let place = missed ? rolls.length : at;
  const finish = (...roll) => {
    const now = [...current()];
    now.splice(place, missed ? 0 : 1, ...roll);
    dialog.close();
    say(now.slice(0, ROLLS));
  };
  const pad = dicePad((roll) => finish(roll), [null, null]);
  const whichButtons = [...rolls, null].map((_, k) => h("button", {
    type: "button", class: "quiet", "data-place": k, "aria-pressed": String(k === place),
    onclick: (event) => {
      place = k;
      for (const one of whichButtons) one.setAttribute("aria-pressed", String(one === event.currentTarget));
    },
  }, t("rollNumber", { n: k + 1 })));
  const known = rolls.map((roll, k) => `${t("rollNumber", { n: k + 1 })} ${spelled(roll)}`).join(t("listComma"));
  const dialog = openDialog({
    title: missed ? t("rollMissed") : t("rollAgain", { n: at + 1, dice: spelled(rolls[at]) }),
    note: missed && rolls.length ? t("rollsSeen", { rolls: known }) : null,
    parts: [
      missed && rolls.length ? h("section", { class: "moves" }, h("h3", {}, t("rollWhich")),
        h("div", { class: "choices" }, whichButtons)) : null,
      pad,
      missed ? null : h("section", { class: "moves" }, h("div", { class: "choices" }, h("button", {
        type: "button", class: "quiet danger", "data-no-roll": "", onclick: () => finish(),
      }, t("rollNone")))),
    ],
    focus: ".die",
  });
}

/** The opening's rolls, each to be put right, and one to be added where fewer than three are known. */
export const rollsView = (rolls, onroll) => h("span", { class: "live-rolls" },
  rolls.map((roll, k) => h("button", {
    type: "button", class: "quiet", id: `live-roll-${k}`, onclick: () => onroll(k),
    "aria-label": `${t("rollNumber", { n: k + 1 })} ${spelled(roll)}`,
  }, spelled(roll))),
  rolls.length < ROLLS ? h("button", {
    type: "button", class: "quiet", id: "live-roll-add", "aria-label": t("rollMissed"), onclick: () => onroll(null),
  }, "+") : null);
