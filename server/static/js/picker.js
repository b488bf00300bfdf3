// The dialog in which a tile is chosen, moved or deleted.

import { byId, h } from "./dom.js";
import { ALL_TILES } from "./table.js";
import { picture } from "./tiles.js";
import { t, tileName } from "./words.js";

const COLUMNS = 9;
const MARKS = ["data-strip", "data-tile", "data-absent", "data-turned", "data-about", "id"];
const DICE = [1, 2, 3, 4, 5, 6].map((pips) => `die${pips}`);

function tileButton(code, { jokers, chosen, note, onpick }) {
  return h("button", {
    type: "button", class: "pick", "data-code": code,
    "aria-pressed": chosen ? "true" : null, "aria-label": `${tileName(code)}${note ? `, ${note}` : ""}`,
    onclick: () => onpick(code),
  }, picture(code, { joker: jokers.includes(code) }), note && h("small", {}, note));
}

function section(title, className, ...children) {
  return h("section", { class: className }, h("h3", {}, title), h("div", { class: "choices" }, children));
}

/** Arrow keys walk the grid of all tiles. */
function walkGrid(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS }[event.key];
  if (!step) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const target = buttons[buttons.indexOf(document.activeElement) + step];
  if (target) target.focus();
  event.preventDefault();
}

/** What was tapped may have been drawn anew meanwhile: the focus goes to what stands for it now. */
function comeBackTo(opener, dialog) {
  const mark = MARKS.find((one) => opener?.hasAttribute(one));
  if (!mark) return;
  const same = `[${mark}="${CSS.escape(opener.getAttribute(mark))}"]`;
  dialog.addEventListener("close", () => {
    const lost = document.activeElement === document.body || dialog.contains(document.activeElement);
    if (lost) document.querySelector(same)?.focus({ preventScroll: true });
  }, { once: true });
}

/**
 * Open the page's dialog.
 *
 * @param {object} ask title, note (a line below it, or null), parts (nodes; null is left out), closing (the
 *   close button's label), focus (a selector; the first that is found within)
 */
export function openDialog({ title, note, parts, closing, focus }) {
  const dialog = byId("picker");
  dialog.replaceChildren(
    h("header", {},
      h("h2", { id: "picker-title" }, title),
      h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, closing ?? t("close"))),
    ...(note ? [h("p", { class: "muted" }, note)] : []),
    ...parts.filter(Boolean),
  );
  if (!dialog.open) {
    comeBackTo(document.activeElement, dialog);
    dialog.showModal();
  }
  if (focus) dialog.querySelector(focus)?.focus();
  return dialog;
}

/**
 * Open the picker.
 *
 * @param {object} ask title, note (a line below it), jokers, chosen (code or null), likely ([[code, p]]), faceDown
 *   (offer the back), dice (and the dice), actions ([{group, items: [{label, pressed, run}]}]), stay (keep it open
 *   after a pick), onpick(code).
 */
export function openPicker(ask) {
  const dialog = byId("picker");
  const finish = (run) => {
    dialog.close();
    run();
  };
  const pick = (code) => (ask.stay ? ask.onpick(code) : finish(() => ask.onpick(code)));
  const button = (code, note) =>
    tileButton(code, { jokers: ask.jokers, chosen: code === ask.chosen, note, onpick: pick });
  const parts = [];
  if (ask.likely?.length > 1) {
    const likely = ask.likely.map(([code, p]) => button(code, `${Math.round(100 * p)}%`));
    parts.push(section(t("likely"), "likely", likely));
  }
  for (const { group, items } of ask.actions ?? []) {
    parts.push(section(group, "moves", items.map(({ label, pressed, danger, run }) =>
      h("button", {
        type: "button", class: danger ? "quiet danger" : "quiet",
        "aria-pressed": pressed ? "true" : null, onclick: () => finish(run),
      }, label))));
  }
  const all = [...ALL_TILES, ...(ask.faceDown ? ["back"] : []), ...(ask.dice ? DICE : [])];
  const grid = section(t("allTiles"), "grid", all.map((code) => button(code)));
  grid.addEventListener("keydown", walkGrid);
  parts.splice(ask.likely?.length > 1 ? 1 : 0, 0, grid);
  openDialog({ title: ask.title, note: ask.note, parts, closing: t(ask.stay ? "done" : "close") });
  (dialog.querySelector('.likely [aria-pressed="true"], .likely button')
    ?? dialog.querySelector('.grid [aria-pressed="true"], .grid button')).focus();
  return dialog;
}
