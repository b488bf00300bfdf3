// The buttons below the live picture.

import { h } from "./dom.js";
import { t } from "./words.js";

/**
 * @param {object} now undo and redo (how many steps), seen (something is known of the table), placement (its name or
 *   null), adding, placing, sending (this device is the camera)
 * @param {object} on undo(), redo(), add(), place(), newHand(), stop()
 */
export function toolsView(now, on) {
  const button = (id, label, run, more = {}) =>
    h("button", { type: "button", class: "quiet", id, onclick: run, ...more }, label);
  const placed = now.placement === "guess" ? t("placeGuessName") : now.placement;
  return [
    button("live-undo", t("liveUndo"), on.undo, { disabled: now.undo === 0 }),
    button("live-redo", t("liveRedo"), on.redo, { disabled: now.redo === 0 }),
    now.seen && !now.placing ? [
      button("live-add", t(now.adding ? "liveAddStop" : "liveAddTile"), on.add, { "aria-pressed": String(now.adding) }),
      button("live-place", placed ? t("placeNow", { name: placed }) : t("placeOpen"), on.place),
      button("live-new-hand", t("liveNewHand"), on.newHand),
    ] : null,
    button("live-stop", t(now.sending ? "stopThisCamera" : "stop"), on.stop),
  ];
}
