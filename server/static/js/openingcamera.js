// What the live camera sees of the opening: dice that have come to rest, winds, the turned tile.

import { inOrder } from "./answers.js";
import { ApiError, call, setLiveRolls } from "./api.js";
import { h } from "./dom.js";
import { recall, remember } from "./memory.js";
import { goTo } from "./views.js";
import { currentLanguage, t } from "./words.js";

const EVERY_MS = 1000;
const QUIET_MS = 4000;
const PATIENCE_MS = 5000;
const telling = inOrder();
const state = { seen: null, session: null, met: new Set(), offer: null, auto: recall("diceFromCamera", true) };
let heard = null;
let watching = false;
let box = null;
let drawn = "";

/** Whether what the camera is sure of is filled in without a tap. */
export const byItself = () => state.auto;

const spelled = (values) => values.join("+");

/**
 * Ask for the camera's dice as long as the view is shown.
 *
 * @param {object} listener `isShown()`, `isEmpty()` (no roll is entered yet), `take(dice)` (true
 *   when somebody waited for a roll), `takeAll(rolls)`, and `onseen(seen)` after every look.
 */
export function watchDice(listener) {
  heard = listener;
  if (!watching) look();
}

/** One look after the other, so that none is taken in after a newer one. */
async function look() {
  watching = heard.isShown();
  if (!watching) return;
  try {
    if (!document.hidden) meet(await call("/api/live/dice", { signal: AbortSignal.timeout(PATIENCE_MS) }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    meet(null);
  } finally {
    setTimeout(look, state.seen?.session ? EVERY_MS : QUIET_MS);
  }
}

/** Take in what is seen; throws from before this page looked on are only offered. */
function meet(seen) {
  const before = state.session;
  state.seen = seen;
  state.session = seen?.session ?? null;
  const fresh = (seen?.throws ?? []).filter((one) => !state.met.has(one.id));
  if (state.session !== before) Object.assign(state, { met: new Set(), offer: null });
  for (const one of seen?.throws ?? []) state.met.add(one.id);
  // What lies there when dice come to rest lay there before anybody acts on them.
  heard.onseen(seen);
  if (state.session === before) fresh.forEach(consider);
  drawBox();
}

function consider(thrown) {
  const sure = thrown.values.length === 2 && !thrown.doubtful;
  if (state.auto && sure && heard.take(thrown.values)) state.offer = null;
  else state.offer = thrown;
}

/** Let the live table count the rolls that this page shows. */
export async function tellRolls(rolls) {
  if (state.session === null) return;
  try {
    await telling(() => setLiveRolls(rolls));
  } catch (error) {
    // The guide does not need the live table; its own event list then counts otherwise.
    if (!(error instanceof ApiError)) throw error;
  }
}

function settleOffer(use) {
  const thrown = state.offer;
  state.offer = null;
  if (use) heard.take(thrown.values);
  drawBox();
}

function offerView() {
  const thrown = state.offer;
  if (!thrown) return null;
  const whole = thrown.values.length === 2;
  const dice = spelled(thrown.values);
  const text = whole ? t(thrown.doubtful ? "diceSeenDoubtful" : "diceSeen", { dice }) : t("diceUnread");
  return h("p", { class: "dice-offer", role: "status" }, h("span", {}, text), " ",
    whole ? h("button", {
      type: "button", class: "small-button", "data-use-dice": "", onclick: () => settleOffer(true),
    }, t("useDice")) : null, " ",
    h("button", {
      type: "button", class: "quiet small-button", "data-leave-dice": "", onclick: () => settleOffer(false),
    }, t("notDice")));
}

function seenRollsView() {
  const rolls = state.seen?.rolls ?? [];
  if (!rolls.length || !heard.isEmpty()) return null;
  return h("button", {
    type: "button", class: "quiet", "data-use-rolls": "", onclick: () => heard.takeAll(rolls),
  }, t("useSeenRolls", { dice: rolls.map(spelled).join(" · ") }));
}

function watchedView() {
  const live = state.seen.source === "live";
  const how = live ? (state.auto ? "diceWatched" : "diceWatchedByHand") : "diceNotLive";
  return [
    h("label", { class: "check" }, h("input", {
      type: "checkbox", checked: state.auto, id: "dice-by-itself",
      onchange: (event) => {
        state.auto = event.target.checked;
        remember("diceFromCamera", state.auto);
        drawBox();
        box.querySelector("#dice-by-itself").focus();
      },
    }), t("diceByItself")),
    h("p", { class: "muted", "data-dice-source": state.seen.source }, t(how)),
    offerView(), seenRollsView(),
  ];
}

function unwatchedView() {
  return h("p", { class: "muted" }, t("diceNoCamera"), " ",
    h("button", { type: "button", class: "quiet small-button", onclick: () => goTo("live") }, t("openCamera")));
}

/** Drawn anew only when it says something else, so that a look leaves the focus where it is. */
function drawBox() {
  if (!box) return;
  const { seen, auto, offer } = state;
  const key = JSON.stringify([
    seen?.session, seen?.source, seen?.rolls, heard.isEmpty(), auto, offer, currentLanguage(),
  ]);
  if (key === drawn) return;
  drawn = key;
  const parts = state.session === null ? [unwatchedView()] : watchedView();
  box.replaceChildren(...parts.flat().filter(Boolean));
}

/** Where the guide tells what the camera sees. */
export function cameraBox() {
  box ??= h("div", { class: "dice-camera" });
  drawBox();
  return box;
}
