// The score sheet of a 锅: totals, entering a hand, the chart, every line, undo, export, print.

import { adjustCard } from "./adjust.js";
import { notTwice } from "./answers.js";
import { ApiError, beginGuo, closeGuo, forgetPicture, freshKey, getSheet, listGuos, undoLine } from "./api.js";
import { chart } from "./chart.js";
import { h } from "./dom.js";
import {
  currentSheet, inLedgerOrder, loadSheet, onsheet, openSheet, proposedPlayers, proposePlayers, takeSheet,
} from "./ledger.js";
import { tellRules } from "./liverules.js";
import { signClass, signed } from "./paymentview.js";
import { keepingFocus } from "./redraw.js";
import { rulesInForce } from "./ruleoptions.js";
import { seatNext } from "./seating.js";
import { Settle } from "./settle.js";
import { linesTable } from "./sheetlines.js";
import { goTo } from "./views.js";
import { currentLanguage, say, t } from "./words.js";

const TURNS = 16;
const state = { guos: [], error: null, starting: false, beginKey: freshKey(), names: null };
const entering = h("section", { class: "card no-print", "aria-labelledby": "sheet-settle-title" });
const settling = new Settle({
  root: entering, id: "sheet-settle", fan: () => null, extras: () => ({}),
});
let root = null;

/** Do something with the ledger; a refusal is shown and changes nothing. */
async function attempt(act) {
  try {
    state.error = null;
    await act();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    state.error = error;
    if (error.code === "sheet_moved_on") await lookAgain();
  }
  draw();
}

/** As `attempt`, for what changes something: a second tap meanwhile does nothing. */
const act = notTwice(attempt);

const look = async (id) => takeSheet(await inLedgerOrder(() => getSheet(id)));

/** The sheet as it is by now; where it cannot be had, what has been refused is said all the same. */
async function lookAgain() {
  try {
    await look(openSheet().id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Go on with another 锅, by whose rules the table that is watched is judged from now on. */
const turnTo = (id) => attempt(async () => {
  await look(id);
  tellRules();
});

const refreshList = () => inLedgerOrder(listGuos).then(({ guos }) => {
  state.guos = guos;
});

const namesIn = (form) => [...form.querySelectorAll("input")].map((input) => input.value.trim());

/** Names being typed outlive a drawing; other names are another 锅 to begin. */
function typed(event) {
  state.names = namesIn(event.currentTarget);
  state.beginKey = freshKey();
}

function begin(event) {
  event.preventDefault();
  const players = namesIn(event.target);
  act(async () => {
    const { sheet } = await inLedgerOrder(
      () => beginGuo({ players, options: rulesInForce(), east: 0, key: state.beginKey }));
    state.beginKey = freshKey();
    Object.assign(state, { starting: false, names: null });
    proposePlayers(null);
    try {
      // First, so that nothing is drawn anew once a hand can be entered.
      await refreshList();
    } finally {
      takeSheet(sheet);
      tellRules();
      settling.restart();
    }
  });
}

function startCard() {
  const names = state.names ?? proposedPlayers() ?? openSheet()?.players ?? ["", "", "", ""];
  return h("section", { class: "card no-print", "aria-labelledby": "begin-title" },
    h("h2", { id: "begin-title" }, t("beginTitle")),
    h("p", { class: "muted" }, t("beginHelp")),
    h("form", { class: "begin", onsubmit: begin, oninput: typed },
      h("div", { class: "names" }, ["windEast", "windSouth", "windWest", "windNorth"].map((wind, k) => h("label", {},
        h("span", {}, t(wind), k === 0 ? ` · ${t("firstDealer")}` : ""),
        h("input", { type: "text", required: true, maxlength: 40, value: names[k], autocomplete: "off", "data-player": k })))),
      h("div", { class: "sources" },
        h("button", { type: "submit", class: "button primary" }, t("begin")),
        h("button", { type: "button", class: "quiet", onclick: () => goTo("opening") }, t("toSeating")),
        state.starting ? h("button", {
          type: "button", class: "quiet",
          onclick: () => {
            state.starting = false;
            draw();
          },
        }, t("close")) : null)));
}

function totalsView(sheet) {
  return h("ol", { class: "totals" }, sheet.players.map((name, seat) => {
    const deals = currentSheet() !== null && seat === sheet.dealer;
    return h("li", { class: deals ? "deals" : "", "data-seat": seat },
      h("span", { class: "name" }, name, deals ? h("b", { class: "badge", title: t("dealsNext") }, t("dealerBadge")) : null),
      h("span", { class: `total ${signClass(sheet.totals[seat])}`, "data-total": seat }, signed(sheet.totals[seat])));
  }));
}

function whereView(sheet) {
  if (sheet.finished) return h("p", { class: "where" }, t("guoFinished"));
  if (sheet.closed_at) return h("p", { class: "where" }, t("guoClosed"));
  const streak = sheet.dealer_streak ? ` · ${t("streak", { n: sheet.dealer_streak })}` : "";
  return h("p", { class: "where", "data-dealer": sheet.dealer },
    h("b", {}, t("nextDealerIs", { name: sheet.players[sheet.dealer] })),
    ` · ${t("turnOf", { circle: sheet.circle, n: sheet.turns + 1, all: TURNS })}${streak}`);
}

function chooser() {
  if (state.guos.length < 2) return null;
  return h("label", { class: "chooser no-print" }, t("otherGuos"), " ", h("select", {
    onchange: (event) => turnTo(Number(event.target.value)),
  }, state.guos.map((guo) => h("option", { value: guo.id, selected: guo.id === openSheet()?.id },
    `#${guo.id} ${guo.started_at.slice(0, 10)} ${guo.players.join("、")}`))));
}

function actions(sheet) {
  const base = `/api/ledger/${sheet.id}`;
  const lang = currentLanguage();
  return h("div", { class: "sources no-print" },
    h("a", { class: "button quiet", href: `${base}/export.csv?lang=${lang}`, download: `zhuowu-${sheet.id}.csv` }, t("exportCsv")),
    h("a", { class: "button quiet", href: `${base}/export.json?pictures=1`, download: `zhuowu-${sheet.id}.json` }, t("exportJson")),
    h("button", { type: "button", class: "quiet", onclick: () => print() }, t("print")),
    sheet.finished ? null : h("button", {
      type: "button", class: "quiet", "data-close": "",
      onclick: () => act(async () => {
        takeSheet(await inLedgerOrder(() => closeGuo(sheet.id, !sheet.closed_at)));
        tellRules();
        await refreshList();
      }),
    }, t(sheet.closed_at ? "reopenGuo" : "closeGuo")),
    sheet.finished || sheet.closed_at ? h("button", {
      type: "button", class: "primary", "data-next-guo": "",
      onclick: () => {
        seatNext(sheet.players);
        goTo("opening");
      },
    }, t("nextGuo")) : null,
    h("button", {
      type: "button", class: "quiet", "data-new": "",
      onclick: () => {
        state.starting = true;
        draw();
        root.querySelector("[data-player]").focus();
      },
    }, t("newGuo")));
}

function headCard(sheet) {
  return h("section", { class: "card sheet", "aria-labelledby": "sheet-title" },
    h("div", { class: "desk-head" }, h("h2", { id: "sheet-title" }, t("sheetTitle", { n: sheet.id })), chooser()),
    totalsView(sheet), whereView(sheet), actions(sheet));
}

function linesCard(sheet) {
  const running = sheet.lines.map((line) => line.totals);
  const label = sheet.players.map((name, seat) => `${name} ${signed(sheet.totals[seat])}`).join(", ");
  return h("section", { class: "card", "aria-labelledby": "lines-title" },
    h("h2", { id: "lines-title" }, t("everyLine")),
    running.length ? h("div", { class: "chart-box" }, chart(sheet.players, running, t("chartOf", { label }))) : null,
    sheet.lines.length ? linesTable(sheet, {
      onundo: (number) => act(async () => {
        const { sheet: next } = await inLedgerOrder(
          () => undoLine(sheet.id, number, { key: freshKey(), seen: sheet.lines.length }));
        takeSheet(next);
      }),
      oncorrect: (line, result) => {
        settling.correct(line, result);
        draw();
        entering.scrollIntoView({ block: "nearest" });
        entering.querySelector("[data-winner]").focus({ preventScroll: true });
      },
      onforget: (number) => act(async () => takeSheet(await inLedgerOrder(() => forgetPicture(sheet.id, number)))),
    }) : h("p", { class: "muted" }, t("noLines")));
}

function cards() {
  const sheet = openSheet();
  const found = [];
  if (state.error) found.push(h("p", { class: "notice", role: "alert" }, say(state.error)));
  const starting = !sheet || state.starting || (proposedPlayers() !== null && !currentSheet());
  if (starting) found.push(startCard());
  if (sheet && !state.starting) found.push(headCard(sheet));
  if ((currentSheet() || (sheet && settling.line)) && !starting) {
    found.push(entering);
    settling.draw();
  }
  if (sheet && !state.starting) found.push(linesCard(sheet));
  if (currentSheet() && !starting) found.push(adjustCard(sheet, act));
  if (!sheet && state.guos.length) found.push(h("div", { class: "card" }, chooser() ?? oneGuo()));
  return found;
}

/** A hand may be on its way into the sheet by keyboard while another answer draws it anew. */
function draw() {
  if (root) keepingFocus(root, () => root.replaceChildren(...cards()));
}

function oneGuo() {
  const [guo] = state.guos;
  return h("button", {
    type: "button", class: "quiet", onclick: () => turnTo(guo.id),
  }, `#${guo.id} ${guo.players.join("、")}`);
}

onsheet(() => {
  if (root && !root.hidden) draw();
});

/** Draw the sheet; asked for whenever it is looked at. */
export async function show(node) {
  root = node;
  if (openSheet() || state.starting) draw();
  await attempt(async () => {
    await loadSheet();
    await refreshList();
    const open = openSheet();
    if (open) await look(open.id);
    else if (!proposedPlayers() && state.guos.length) await look(state.guos[0].id);
  });
}
