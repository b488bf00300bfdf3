// Points that belong to no hand: a fine, a false win. They are a line of their own, with its reason.

import { adjustPoints, freshKey } from "./api.js";
import { h } from "./dom.js";
import { inLedgerOrder, takeSheet } from "./ledger.js";
import { signed } from "./paymentview.js";
import { t } from "./words.js";

const MOST = 1_000_000;
const state = { open: false, points: ["", "", "", ""], note: "", key: freshKey() };

const numbers = () => state.points.map((text) => (text.trim() === "" ? 0 : Number(text)));
const sumOf = (points) => points.reduce((sum, one) => sum + one, 0);
const good = (points) => points.every((one) => Number.isInteger(one) && Math.abs(one) <= MOST)
  && points.some((one) => one !== 0) && sumOf(points) === 0 && state.note.trim() !== "";

/**
 * @param {object} sheet the sheet that is played
 * @param {function} attempt does something with the ledger and draws the sheet anew
 */
export function adjustCard(sheet, attempt) {
  const enter = h("button", { type: "submit", class: "primary", id: "adjust-enter" }, t("adjustEnter"));
  const sum = h("p", { class: "muted", role: "status", id: "adjust-sum" });
  const check = () => {
    const points = numbers();
    enter.disabled = !good(points);
    const off = sumOf(points);
    sum.textContent = Number.isFinite(off) && off !== 0 ? t("adjustSum", { n: signed(off) }) : "";
  };
  const typed = (change) => {
    change();
    // Other points are another thing to enter.
    state.key = freshKey();
    check();
  };
  const field = (name, seat) => h("label", {}, h("span", {}, name), h("input", {
    type: "number", step: 1, min: -MOST, max: MOST, value: state.points[seat], "data-adjust": seat,
    "aria-label": t("adjustOf", { name }),
    oninput: (event) => typed(() => {
      state.points[seat] = event.target.value;
    }),
  }));
  const submit = (event) => {
    event.preventDefault();
    const points = numbers();
    if (!good(points)) return;
    attempt(async () => {
      const answer = await inLedgerOrder(() => adjustPoints(sheet.id, {
        deltas: points, note: state.note.trim(), key: state.key, seen: sheet.lines.length,
      }));
      Object.assign(state, { open: false, points: ["", "", "", ""], note: "", key: freshKey() });
      takeSheet(answer.sheet);
    });
  };
  const card = h("section", { class: "card no-print" }, h("details", {
    id: "adjust", open: state.open, ontoggle: (event) => {
      state.open = event.target.open;
    },
  }, h("summary", {}, h("h2", {}, t("adjustTitle"))),
  h("form", { class: "adjust", onsubmit: submit },
    h("p", { class: "muted" }, t("adjustHelp")),
    h("div", { class: "names" }, sheet.players.map(field)),
    h("label", { class: "place-name" }, h("span", {}, t("adjustWhy")), h("input", {
      type: "text", maxlength: 300, value: state.note, autocomplete: "off", id: "adjust-note",
      oninput: (event) => typed(() => {
        state.note = event.target.value;
      }),
    })),
    sum, h("div", { class: "sources" }, enter))));
  check();
  return card;
}
