// The lines of a score sheet: each hand with its 番, points, totals, and what lies behind it.

import { ApiError, settle } from "./api.js";
import { h } from "./dom.js";
import { payments, signClass, signed } from "./paymentview.js";
import { picture } from "./tiles.js";
import { say, t, tileName } from "./words.js";

const time = (text) => new Date(text).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** What a line is, in one sentence. */
function headline(sheet, line) {
  const { result } = line;
  if (line.kind === "undo") return t("undoes", { n: line.undoes });
  if (line.kind === "correction" && !result) return line.note || t("adjusted");
  if (result.winner === null) return t(result.chan ? "chanLine" : "drawnGame");
  const won = t("wonLine", { name: sheet.players[result.winner], n: result.fan });
  return line.kind === "correction" ? `${t("corrects", { n: line.corrects })} ${won}` : won;
}

function readingView(reading) {
  if (!reading || !Array.isArray(reading.hand)) return null;
  const tile = (code) => picture(code, { joker: (reading.jokers ?? []).includes(code), alt: tileName(code) });
  return h("div", { class: "row reading-row" },
    reading.hand.map(tile),
    reading.drawn ? h("span", { class: "apart" }, tile(reading.drawn)) : null,
    (reading.melds ?? []).map((meld) => h("span", { class: "apart row" },
      Array(meld.kind === "pong" ? 3 : 4).fill(meld.tile).map(tile))),
    reading.indicator ? h("span", { class: "apart" }, h("small", {}, t("indicator")), tile(reading.indicator)) : null);
}

async function showPayments(place, sheet, line) {
  if (!line.result) return;
  try {
    const account = await settle({ ...line.result, options: sheet.options });
    place.replaceChildren(payments(account, sheet.players, line.result.dealer));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    place.replaceChildren(h("p", { class: "notice" }, say(error)));
  }
}

const opened = new Set();

function more(sheet, line, onforget) {
  const place = h("div", {});
  if (line.result) showPayments(place, sheet, line);
  return [
    line.note && line.kind !== "correction" ? h("p", {}, line.note) : null,
    readingView(line.reading),
    line.picture ? h("figure", { class: "kept" },
      h("img", { src: line.picture, alt: t("keptPicture"), width: 320, height: 213, loading: "lazy" }),
      h("figcaption", {}, h("button", { type: "button", class: "quiet danger", onclick: () => onforget(line.number) }, t("forgetPicture")))) : null,
    place,
  ];
}

/** The button that shows what lies behind a line, in the row after it. */
function moreButton(sheet, line, onforget) {
  const key = `${sheet.id}-${line.number}`;
  const show = (button, open) => {
    button.setAttribute("aria-expanded", String(open));
    const row = button.closest("tr");
    if (!open) row.nextElementSibling?.matches(".more") && row.nextElementSibling.remove();
    else row.after(h("tr", { class: "more no-print" }, h("td", { colspan: 6 }, more(sheet, line, onforget))));
  };
  const button = h("button", {
    type: "button", class: "quiet small-button no-print", "data-more": line.number,
    "aria-label": t("detailsOf", { n: line.number }), "aria-expanded": "false",
    onclick: () => {
      const open = !opened.delete(key);
      if (open) opened.add(key);
      show(button, open);
    },
  }, t("details"));
  if (opened.has(key)) queueMicrotask(() => button.isConnected && show(button, true));
  return button;
}

/** How a hand counts now: as it was entered, or as the last correction that stands says. */
function resultNow(sheet, line) {
  const later = sheet.lines.filter((one) => one.corrects === line.number && one.kind === "correction" && one.stands && one.result);
  return (later.at(-1) ?? line).result;
}

function lineRow(sheet, line, { onundo, onforget, oncorrect }) {
  const open = !sheet.closed_at;
  const behind = line.result || line.note || line.reading || line.picture;
  return h("tr", { class: line.stands ? line.kind : `${line.kind} taken-back`, "data-line": line.number },
    h("th", { scope: "row" }, String(line.number)),
    h("td", { class: "what" },
      h("span", { class: "headline" }, headline(sheet, line)),
      line.title ? h("span", { class: "title", lang: "zh-CN" }, line.title) : null,
      line.stands || line.kind === "undo" ? null : h("b", { class: "badge" }, t("takenBack")),
      h("small", { class: "muted" }, time(line.entered_at)),
      h("span", { class: "choices" },
        behind ? moreButton(sheet, line, onforget) : null,
        open && line.stands && line.kind === "hand" ? h("button", {
          type: "button", class: "quiet small-button no-print", "data-correct": line.number,
          "aria-label": t("correctLineOf", { n: line.number }),
          onclick: () => oncorrect(line, resultNow(sheet, line)),
        }, t("correctLine")) : null,
        open && line.stands ? h("button", {
          type: "button", class: "quiet small-button no-print", "data-undo": line.number,
          "aria-label": t(line.kind === "undo" ? "bringBackLine" : "undoLine", { n: line.number }),
          onclick: () => onundo(line.number),
        }, t(line.kind === "undo" ? "bringBack" : "undo")) : null)),
    line.deltas.map((points, seat) => h("td", { class: "number" },
      h("span", { class: signClass(points) }, signed(points)),
      h("small", { class: "muted" }, signed(line.totals[seat])))));
}

/** All lines, the latest first. */
export function linesTable(sheet, handlers) {
  return h("div", { class: "lines-box", tabindex: "0", role: "group", "aria-label": t("everyLine") },
    h("table", { class: "lines" },
      h("thead", {}, h("tr", {},
        h("th", { scope: "col" }, t("lineNumber")), h("th", { scope: "col" }, t("lineWhat")),
        sheet.players.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, [...sheet.lines].reverse().map((line) => lineRow(sheet, line, handlers)))));
}
