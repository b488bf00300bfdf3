// 打风: who rolls, where East sits, who draws which wind, who sits where.

import { newestOnly } from "./answers.js";
import { ApiError, seating } from "./api.js";
import { dicePad } from "./dice.js";
import { h } from "./dom.js";
import { currentSheet, proposePlayers } from "./ledger.js";
import { drawTable } from "./tabledraw.js";
import { picture } from "./tiles.js";
import { goTo } from "./views.js";
import { say, t, tileName } from "./words.js";

const WINDS = ["1z", "2z", "3z", "4z"];
const SHORT = ["shortEast", "shortSouth", "shortWest", "shortNorth"];
const state = {
  names: null, roller: 0, dice: null, half: [null, null], diceSeen: false, picks: [], winds: [], metWinds: new Set(),
  after: false, answer: null, error: null, open: false, asking: false,
};

const asked = newestOnly();

const names = () => state.names ?? currentSheet()?.players ?? [1, 2, 3, 4].map((n) => t("playerNumber", { n }));

/** Draw the seats for the next 锅 of the same players, in the seats they have. */
export function seatNext(players) {
  asked();
  Object.assign(state, {
    names: [...players], roller: 0, dice: null, half: [null, null], diceSeen: false, picks: [], after: true, answer: null, error: null, open: true,
    asking: true,
  });
}

async function ask(redraw) {
  const isNewest = asked();
  let [answer, refusal] = [state.answer, null];
  try {
    answer = await seating({
      names: names(), roller: state.roller, dice: state.dice, picks: state.picks, after_guo: state.after,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refusal = error;
  }
  if (!isNewest()) return;
  Object.assign(state, { answer, error: refusal });
  redraw();
}

function restart(redraw, change = {}) {
  Object.assign(state, { dice: null, half: [null, null], diceSeen: false, picks: [], answer: null, error: null }, change);
  return ask(redraw);
}

function enterDice(dice, seen, redraw) {
  Object.assign(state, { dice, half: [null, null], diceSeen: seen, metWinds: new Set(state.winds.map((wind) => wind.id)) });
  return ask(redraw);
}

/** Take a roll that the camera saw; false when none is waited for here. */
export function takeSeatingRoll(dice, redraw) {
  if (!state.open || !state.answer || state.answer.east !== null) return false;
  enterDice(dice, true, redraw);
  return true;
}

const picksAWind = () => state.open && state.answer && state.answer.east !== null && !state.answer.seats;
const newWinds = () => state.winds.filter((wind) => !state.metWinds.has(wind.id) && !state.picks.includes(wind.tile));

/**
 * Take in the wind tiles that the camera sees lie there. One that has just been turned over is what
 * was picked, when it is the only one and `byItself`; else it is marked among the choices.
 */
export function takeWinds(winds, byItself, redraw) {
  const before = JSON.stringify(state.winds);
  state.winds = winds;
  if (!picksAWind()) return;
  const fresh = newWinds();
  if (byItself && fresh.length === 1 && !fresh[0].doubtful) {
    state.metWinds.add(fresh[0].id);
    state.picks = [...state.picks, fresh[0].tile];
    ask(redraw);
  } else if (JSON.stringify(winds) !== before) redraw();
}

function namesView(redraw) {
  return h("div", { class: "names" }, names().map((name, seat) => h("label", {},
    h("span", {}, t("seatNumber", { n: seat + 1 })),
    h("input", {
      type: "text", maxlength: 40, value: name, autocomplete: "off", "data-name": seat,
      // Kept while it is typed: an answer that arrives meanwhile draws the card anew.
      oninput: (event) => {
        if (event.target.value.trim()) state.names = names().with(seat, event.target.value);
      },
      onchange: () => restart(redraw, { names: names().map((typed) => typed.trim()) }),
    }))));
}

function rollerView(redraw) {
  return h("fieldset", { class: "presets" }, h("legend", {}, t("whoRolls")),
    names().map((name, seat) => h("label", { class: "radio" },
      h("input", {
        type: "radio", name: "roller", checked: state.roller === seat,
        onchange: () => restart(redraw, { roller: seat }),
      }), name)));
}

/** The winds picked so far, the last of which can be taken back. */
function picksView(redraw) {
  if (!state.picks.length) return null;
  return h("p", { class: "row picked" }, h("span", { class: "muted" }, t("windsPicked")),
    state.picks.map((wind) => picture(wind, { alt: tileName(wind) })),
    h("button", {
      type: "button", class: "quiet small-button", "data-pick-back": "",
      onclick: () => {
        state.picks = state.picks.slice(0, -1);
        for (const wind of state.winds) state.metWinds.add(wind.id);
        ask(redraw).then(focusNext);
      },
    }, t("windBack")));
}

function pickView(redraw) {
  const seen = new Set(newWinds().map((wind) => wind.tile));
  const label = (wind) => (seen.has(wind) ? `${tileName(wind)} (${t("windSeen")})` : tileName(wind));
  return h("div", { class: "row winds" }, WINDS.map((wind) => h("button", {
    type: "button", class: seen.has(wind) ? "pick seen" : "pick", disabled: state.picks.includes(wind),
    "aria-label": label(wind), title: seen.has(wind) ? t("windSeen") : null, "data-wind": wind,
    onclick: () => {
      if (state.picks.includes(wind)) return;
      state.picks = [...state.picks, wind];
      ask(redraw).then(focusNext);
    },
  }, picture(wind))));
}

function focusNext() {
  document.querySelector(".winds button:not([disabled]), .seating .primary")?.focus({ preventScroll: true });
}

function outcome(redraw) {
  const { answer } = state;
  const order = [0, 1, 2, 3].map((k) => answer.seats[(answer.east + k) % 4]);
  return h("div", { class: "sources" },
    answer.redo
      ? h("button", { type: "button", class: "button primary", onclick: () => restart(redraw) }, t("drawAgain"))
      : h("button", {
        type: "button", class: "button primary", "data-use-seats": "",
        onclick: () => {
          proposePlayers(order);
          goTo("sheet");
        },
      }, t("useSeats")),
    h("button", { type: "button", class: "quiet", onclick: () => restart(redraw) }, t("startOver")));
}

/** Beside the roll: whether the camera saw it, and how to put it right. */
function rollTools(redraw) {
  return [
    state.diceSeen ? h("span", { class: "from-camera" }, t("fromCamera")) : null,
    h("button", {
      type: "button", class: "quiet small-button", "data-seat-roll-again": "", "aria-label": t("rollAgain", { n: 1 }),
      onclick: () => restart(redraw).then(focusNext),
    }, t("change")),
  ];
}

function drawing(answer) {
  const shown = answer.seats ?? names();
  const seats = shown.map((name, seat) => {
    const wind = answer.east === null ? null : (seat - answer.east + 4) % 4;
    return {
      wind: wind === null ? t("seatNumber", { n: seat + 1 }) : t(SHORT[wind]),
      title: name, active: answer.next_picker === seat || (answer.east === null && state.roller === seat),
    };
  });
  const rolls = state.dice ? [{ label: "", dice: state.dice }] : [];
  return drawTable({ viewer: 0, seats, rolls, walls: false, label: answer.steps.map(say).join(" ") });
}

function body(redraw) {
  const { answer } = state;
  const input = !answer ? null : answer.seats ? outcome(redraw) : answer.east === null
    ? dicePad((dice) => enterDice(dice, false, redraw).then(focusNext), state.half) : pickView(redraw);
  return h("div", { class: "seating-body" },
    h("div", {},
      namesView(redraw), rollerView(redraw),
      h("label", { class: "check" }, h("input", {
        type: "checkbox", checked: state.after,
        onchange: (event) => restart(redraw, { after: event.target.checked }),
      }), t("afterGuo")),
      state.error ? h("p", { class: "notice", role: "alert" }, say(state.error)) : null,
      answer ? h("ol", { class: "steps", "aria-live": "polite" },
        answer.steps.map((step, n) => h("li", { class: n === answer.steps.length - 1 ? "now" : "done" },
          h("span", {}, say(step)), n === 0 && state.dice ? rollTools(redraw) : null))) : null,
      picksView(redraw), input),
    answer ? drawing(answer) : null);
}

/** The card of 打风; `redraw` draws the view it stands in. */
export function seatingCard(redraw) {
  if (state.asking) {
    state.asking = false;
    ask(redraw);
  }
  return h("section", { class: "card seating" },
    h("details", {
      open: state.open,
      ontoggle: (event) => {
        const opened = event.target.open && !state.open;
        state.open = event.target.open;
        if (opened && !state.answer) ask(redraw);
      },
    }, h("summary", {}, h("h2", {}, t("seatingTitle"))), body(redraw)));
}
