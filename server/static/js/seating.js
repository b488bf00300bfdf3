// 打风: who rolls, where East sits, who draws which wind, who sits where.

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
const state = { names: null, roller: 0, dice: null, picks: [], after: false, answer: null, error: null, open: false };

const names = () => state.names ?? currentSheet()?.players ?? [1, 2, 3, 4].map((n) => t("playerNumber", { n }));

async function ask(redraw) {
  try {
    state.answer = await seating({
      names: names(), roller: state.roller, dice: state.dice, picks: state.picks, after_guo: state.after,
    });
    state.error = null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    state.error = error;
  }
  redraw();
}

function restart(redraw, change = {}) {
  Object.assign(state, { dice: null, picks: [], answer: null, error: null }, change);
  return ask(redraw);
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

function pickView(redraw) {
  return h("div", { class: "row winds" }, WINDS.map((wind) => h("button", {
    type: "button", class: "pick", disabled: state.picks.includes(wind), "aria-label": tileName(wind), "data-wind": wind,
    onclick: () => {
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
    ? dicePad((dice) => {
      state.dice = dice;
      ask(redraw).then(focusNext);
    }) : pickView(redraw);
  return h("div", { class: "seating-body" },
    h("div", {},
      namesView(redraw), rollerView(redraw),
      h("label", { class: "check" }, h("input", {
        type: "checkbox", checked: state.after,
        onchange: (event) => restart(redraw, { after: event.target.checked }),
      }), t("afterGuo")),
      state.error ? h("p", { class: "notice", role: "alert" }, say(state.error)) : null,
      answer ? h("ol", { class: "steps", "aria-live": "polite" },
        answer.steps.map((step, n) => h("li", { class: n === answer.steps.length - 1 ? "now" : "done" }, say(step)))) : null,
      input),
    answer ? drawing(answer) : null);
}

/** The card of 打风; `redraw` draws the view it stands in. */
export function seatingCard(redraw) {
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
