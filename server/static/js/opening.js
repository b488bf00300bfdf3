// The opening guide: the dice of 开牌, the break, the turned tile; and 打风 before a 锅.

import { ApiError, opening } from "./api.js";
import { desk } from "./desk.js";
import { dicePad } from "./dice.js";
import { h } from "./dom.js";
import { currentSheet, onsheet } from "./ledger.js";
import { recall, remember } from "./memory.js";
import { openPicker } from "./picker.js";
import { rulesInForce } from "./ruleoptions.js";
import { seatingCard } from "./seating.js";
import { drawTable } from "./tabledraw.js";
import { picture } from "./tiles.js";
import { goTo } from "./views.js";
import { say, t, tileName } from "./words.js";

// Seats here are counted from the dealer: 0 the dealer, 1 下家, 2 对门, 3 上家.
const state = { rolls: [], indicator: null, viewer: recall("viewer", 0), guide: null, error: null };
let root = null;

const RELATIVE = ["relDealer", "relNext", "relOpposite", "relBefore"];
const WINDS = ["shortEast", "shortSouth", "shortWest", "shortNorth"];

/** The players' names from the dealer on, or nothing where no 锅 is being played. */
function names() {
  const sheet = currentSheet();
  return sheet ? [0, 1, 2, 3].map((k) => sheet.players[(sheet.dealer + k) % 4]) : [];
}

async function ask() {
  try {
    state.guide = await opening({
      dealer: 0, rolls: state.rolls, indicator: state.indicator, joker_rule: rulesInForce().joker_rule,
    });
    state.error = null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    state.error = error;
  }
  draw();
}

function roll(dice) {
  state.rolls = [...state.rolls, dice];
  ask().then(() => root.querySelector(".guide .die, .guide [data-turned]")?.focus({ preventScroll: true }));
}

/** Take back the rolls from number `n` on. */
function again(n) {
  Object.assign(state, { rolls: state.rolls.slice(0, n), indicator: null });
  ask();
}

function chooseTurned() {
  openPicker({
    title: t("chooseIndicator"), jokers: [], chosen: state.indicator, faceDown: false,
    onpick: (code) => {
      state.indicator = code;
      desk.setIndicator(code);
      ask();
    },
  });
}

function stepsView(guide) {
  return h("ol", { class: "steps" }, guide.steps.map((step, n) => {
    const rolled = n < state.rolls.length;
    const now = n === guide.steps.length - 1;
    return h("li", { class: now ? "now" : "done" },
      h("span", {}, say(step)),
      rolled ? h("button", {
        type: "button", class: "quiet small-button", "aria-label": t("rollAgain", { n: n + 1 }), onclick: () => again(n),
      }, t("change")) : null);
  }));
}

function jokersView(guide) {
  if (!guide.jokers.length) return null;
  return h("div", { class: "jokers-now" },
    h("h3", {}, t("jokersAre")),
    h("div", { class: "row" }, guide.jokers.map((code) => picture(code, { joker: true, alt: tileName(code) }))),
    h("p", { class: "muted" }, t("indicatorSet")),
    h("button", { type: "button", class: "quiet", onclick: () => goTo("score") }, t("toDesk")));
}

function inputView(guide) {
  if (guide.next) return dicePad(roll);
  return h("div", { class: "sources" },
    h("button", {
      type: "button", class: state.indicator ? "quiet" : "button primary", "data-turned": "", onclick: chooseTurned,
    }, state.indicator ? t("otherTurned") : t("chooseTurned")),
    h("button", { type: "button", class: "quiet", onclick: () => again(0) }, t("nextOpening")));
}

function viewerView() {
  return h("fieldset", { class: "presets" }, h("legend", {}, t("iAm")),
    RELATIVE.map((key, seat) => h("label", { class: "radio" },
      h("input", {
        type: "radio", name: "viewer", checked: state.viewer === seat, "data-viewer": seat,
        onchange: () => {
          state.viewer = seat;
          remember("viewer", seat);
          draw();
          root.querySelector(`[data-viewer="${seat}"]`).focus();
        },
      }), t(key))));
}

function guideCard() {
  const { guide } = state;
  const known = names();
  const roller = guide?.next?.roller;
  const seats = RELATIVE.map((key, seat) => ({
    wind: t(WINDS[seat]), title: t(key), name: known[seat], active: roller === seat,
  }));
  const rollers = guide ? [0, guide.second_roller, guide.joker_roller] : [];
  const rolls = state.rolls.map((dice, n) => ({ label: t(RELATIVE[rollers[n] ?? 0]), dice }));
  const label = guide ? guide.steps.map(say).join(" ") : t("view_opening");
  return [
    h("section", { class: "card guide", "aria-labelledby": "opening-title" },
      h("h2", { id: "opening-title" }, t("openingTitle")),
      state.error ? h("p", { class: "notice", role: "alert" }, say(state.error)) : null,
      guide ? [h("div", { "aria-live": "polite" }, stepsView(guide)), inputView(guide), jokersView(guide)] : null,
      h("p", { class: "muted sayings" }, t("sayings"))),
    h("section", { class: "card drawing", "aria-labelledby": "drawing-title" },
      h("h2", { id: "drawing-title" }, t("tableTitle")),
      drawTable({ viewer: state.viewer, seats, guide, rolls, indicator: state.indicator, label }),
      h("p", { class: "legend" },
        ["break", "turned"].map((mark) => h("span", { class: "key-pair" },
          h("span", { class: `key ${mark}` }), t(mark === "break" ? "keyBreak" : "keyTurned")))),
      viewerView()),
  ];
}

function draw() {
  if (!root) return;
  root.replaceChildren(...guideCard().flat(), seatingCard(draw));
}

onsheet(() => {
  if (root && !root.hidden) draw();
});

/** Draw the guide; asked for whenever it is looked at. */
export async function show(node) {
  root = node;
  if (state.guide) draw();
  await ask();
}
