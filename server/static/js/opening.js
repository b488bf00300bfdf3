// The opening guide: the dice of 开牌, the break, the turned tile; and 打风 before a 锅.

import { newestOnly } from "./answers.js";
import { ApiError, opening } from "./api.js";
import { desk } from "./desk.js";
import { dicePad } from "./dice.js";
import { h } from "./dom.js";
import { currentSheet, onsheet } from "./ledger.js";
import { recall, remember } from "./memory.js";
import { byItself, cameraBox, tellRolls, watchDice } from "./openingcamera.js";
import { openPicker } from "./picker.js";
import { rulesInForce } from "./ruleoptions.js";
import { seatingCard, takeSeatingRoll, takeWinds } from "./seating.js";
import { drawTable } from "./tabledraw.js";
import { picture } from "./tiles.js";
import { goTo } from "./views.js";
import { say, t, tileName } from "./words.js";

// Seats here are counted from the dealer: 0 the dealer, 1 下家, 2 对门, 3 上家.
// A roll is its `dice` and whether the camera saw them; `editing` is the roll that is put right.
const state = {
  rolls: [], editing: null, half: [null, null], indicator: null, indicatorSeen: false, viewer: recall("viewer", 0), guide: null, error: null,
};
let root = null;
const asked = newestOnly();

const RELATIVE = ["relDealer", "relNext", "relOpposite", "relBefore"];
const ROLLS = 3;
const WINDS = ["shortEast", "shortSouth", "shortWest", "shortNorth"];

/** The players' names from the dealer on, or nothing where no 锅 is being played. */
function names() {
  const sheet = currentSheet();
  return sheet ? [0, 1, 2, 3].map((k) => sheet.players[(sheet.dealer + k) % 4]) : [];
}

const isEditing = () => state.editing !== null;
/** The rolls that lead to what is asked now: while one is put right, those before it. */
const shownRolls = () => (isEditing() ? state.rolls.slice(0, state.editing) : state.rolls);
const diceOf = (rolls) => rolls.map((one) => one.dice);

async function ask() {
  const indicator = isEditing() ? null : state.indicator;
  const isNewest = asked();
  let [guide, refusal] = [state.guide, null];
  try {
    guide = await opening({
      dealer: 0, rolls: diceOf(shownRolls()), indicator, joker_rule: rulesInForce().joker_rule,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refusal = error;
  }
  if (!isNewest()) return;
  Object.assign(state, { guide, error: refusal });
  draw();
}

/** Enter a roll: the one that is put right, else the next. */
function enter(dice, camera) {
  const at = isEditing() ? state.editing : state.rolls.length;
  state.rolls = Object.assign([...state.rolls], { [at]: { dice, camera } });
  Object.assign(state, { editing: null, half: [null, null] });
  return ask();
}

function roll(dice) {
  enter(dice, false).then(() => root.querySelector(".guide .die, .guide [data-turned]")?.focus({ preventScroll: true }));
  tellRolls(diceOf(state.rolls));
}

/** Put roll `n` right; the later ones stay. */
function change(n) {
  Object.assign(state, { editing: n, half: [null, null] });
  ask().then(() => root.querySelector(".guide .die")?.focus({ preventScroll: true }));
}

function keep() {
  Object.assign(state, { editing: null, half: [null, null] });
  ask();
}

function startAgain() {
  Object.assign(state, { rolls: [], editing: null, half: [null, null], indicator: null, indicatorSeen: false });
  tellRolls([]);
  ask();
}

/** A roll that the camera saw goes where one is waited for: 打风 first, when it is open. */
function takeRoll(dice) {
  if (takeSeatingRoll(dice, draw)) {
    tellRolls(diceOf(state.rolls));
    return true;
  }
  if (!state.guide || state.rolls.length >= ROLLS || isEditing()) return false;
  enter(dice, true);
  return true;
}

function takeRolls(rolls) {
  state.rolls = rolls.map((dice) => ({ dice, camera: true }));
  ask();
}

function takeSeen(seen) {
  if (!seen) return;
  takeWinds(seen.winds, byItself(), draw);
  const turned = seen.indicator;
  if (!byItself() || !turned || turned.doubtful || state.indicator || !state.guide || state.guide.next) return;
  setTurned(turned.tile, true);
}

function setTurned(code, seen) {
  Object.assign(state, { indicator: code, indicatorSeen: seen });
  desk.setIndicator(code);
  ask();
}

function chooseTurned() {
  openPicker({
    title: t("chooseIndicator"), jokers: [], chosen: state.indicator, faceDown: false,
    onpick: (code) => setTurned(code, false),
  });
}

function stepsView(guide) {
  return h("ol", { class: "steps" }, guide.steps.map((step, n) => {
    const rolled = n < shownRolls().length;
    const now = n === guide.steps.length - 1;
    return h("li", { class: now ? "now" : "done" },
      h("span", {}, say(step)),
      rolled && state.rolls[n].camera ? h("span", { class: "from-camera" }, t("fromCamera")) : null,
      rolled ? h("button", {
        type: "button", class: "quiet small-button", "aria-label": t("rollAgain", { n: n + 1 }), onclick: () => change(n),
      }, t("change")) : null);
  }));
}

function jokersView(guide) {
  if (!guide.jokers.length) return null;
  return h("div", { class: "jokers-now" },
    h("h3", {}, t("jokersAre")),
    h("div", { class: "row" }, guide.jokers.map((code) => picture(code, { joker: true, alt: tileName(code) }))),
    state.indicatorSeen ? h("p", { class: "from-camera" }, t("turnedSeen")) : null,
    h("p", { class: "muted" }, t("indicatorSet")),
    h("button", { type: "button", class: "quiet", onclick: () => goTo("score") }, t("toDesk")));
}

function inputView(guide) {
  if (guide.next) {
    return [dicePad(roll, state.half), isEditing()
      ? h("button", { type: "button", class: "quiet", "data-keep": "", onclick: keep }, t("cancelChange")) : null];
  }
  return h("div", { class: "sources" },
    h("button", {
      type: "button", class: state.indicator ? "quiet" : "button primary", "data-turned": "", onclick: chooseTurned,
    }, state.indicator ? t("otherTurned") : t("chooseTurned")),
    h("button", { type: "button", class: "quiet", onclick: startAgain }, t("nextOpening")));
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
  const rolls = diceOf(shownRolls()).map((dice, n) => ({ label: t(RELATIVE[rollers[n] ?? 0]), dice }));
  const label = guide ? guide.steps.map(say).join(" ") : t("view_opening");
  return [
    h("section", { class: "card guide", "aria-labelledby": "opening-title" },
      h("h2", { id: "opening-title" }, t("openingTitle")),
      state.error ? h("p", { class: "notice", role: "alert" }, say(state.error)) : null,
      guide ? [h("div", { "aria-live": "polite" }, stepsView(guide)), inputView(guide), jokersView(guide)] : null,
      cameraBox(),
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
  watchDice({
    isShown: () => !root.hidden, isEmpty: () => state.rolls.length === 0,
    take: takeRoll, takeAll: takeRolls, onseen: takeSeen,
  });
  if (state.guide) draw();
  await ask();
}
