// Advice beside the score: the best discards with reasons, what helps, whether to pung or kong. It can be
// put away during real play, to be looked at when the hand is over.

import { newestOnly } from "./answers.js";
import { ApiError, advise, askPung } from "./api.js";
import { desk } from "./desk.js";
import { byId, h } from "./dom.js";
import { recall, remember } from "./memory.js";
import { openPicker } from "./picker.js";
import { picture, withTiles } from "./tiles.js";
import { whyButton, whyDiscard, whyHelp } from "./whyview.js";
import { say, t, tileName } from "./words.js";

const SHOWN = 5;
const state = { hidden: recall("hideAdvice", false), revealed: false, answer: null, advice: null, pung: null, all: false };
let asking = null;
const pungAsked = newestOnly();
const heard = [];

/** Whether waits and advice are put away now. */
export const isPutAway = () => state.hidden && !state.revealed;

/** Call `listener()` when advice is put away or taken out. */
export const onputaway = (listener) => heard.push(listener);

/** Another hand lies on the desk: what was revealed of the last one is put away again. */
export function newHand() {
  state.revealed = false;
}

function tell() {
  draw();
  for (const listener of heard) listener();
  ask();
}

export function reveal() {
  state.revealed = true;
  tell();
}

export function setHidden(hidden) {
  state.hidden = hidden;
  state.revealed = false;
  remember("hideAdvice", hidden);
  tell();
}

/** Whether there is something to advise: no win, and enough tiles. */
function isOpen(answer) {
  if (!answer) return false;
  if (answer.kind === "candidates") return !answer.candidates.some((one) => one.win);
  return answer.kind === "no_win" || answer.kind === "waits";
}

async function ask() {
  asking?.abort();
  state.advice = null;
  if (!isOpen(state.answer) || isPutAway()) {
    draw();
    return;
  }
  asking = new AbortController();
  const { signal } = asking;
  let advice = null;
  try {
    advice = await advise(desk.request(), signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof ApiError)) throw error;
    advice = { kind: "none", reasons: [error] };
  }
  if (signal.aborted) return;
  state.advice = advice;
  draw();
}

/** Take the latest answer of /api/score. */
export function takeAnswer(answer) {
  state.answer = answer;
  state.pung = null;
  pungAsked();
  state.all = false;
  ask();
}

const sentence = (both) => withTiles(say(both));

function discardRow(discard, best) {
  const { tile } = discard;
  return h("li", { class: best ? "best" : "" },
    h("button", {
      type: "button", class: "candidate", "data-discard": tile,
      "aria-label": t("discardIt", { tile: tileName(tile) }), onclick: () => desk.discard(tile),
    }, picture(tile, { joker: desk.jokers().includes(tile) })),
    h("div", {},
      h("b", {}, t("discardTile", { tile: tileName(tile) })),
      h("p", { class: "why" }, sentence(discard.reason))),
    whyButton(t("whyDiscard", { tile: tileName(tile) }), () => whyDiscard(desk.request(), discard), { "data-why-discard": tile }));
}

/** Whether to kong what may be konged now: one sentence each. */
function kongsView(kongs) {
  return kongs.map((kong) => h("p", {
    class: kong.worth ? "headline" : "muted", "data-kong": kong.tile,
  }, sentence(kong.reason)));
}

function discardsView({ discards, kongs }) {
  const shown = state.all ? discards : discards.slice(0, SHOWN);
  return [
    ...kongsView(kongs),
    h("ol", { class: "discards" }, shown.map((one, n) => discardRow(one, n === 0))),
    discards.length > SHOWN ? h("button", {
      type: "button", class: "quiet", "aria-expanded": String(state.all),
      onclick: () => {
        state.all = !state.all;
        draw();
      },
    }, state.all ? t("showBest") : t("showAll", { n: discards.length })) : null,
    h("p", { class: "muted" }, t("discardHelp")),
  ];
}

function helpsView(standing) {
  if (standing.ready) return null;
  return [
    h("p", { class: "headline" }, t("stepsAway", { k: standing.shanten, n: standing.left })),
    h("div", { class: "row" }, standing.helps.map(({ tile, left }) => h("button", {
      type: "button", class: "wait", "data-why-help": tile, onclick: () => whyHelp(desk.request(), tile),
      "aria-label": `${tileName(tile)}, ${t("left", { n: left })}. ${t("whyHelp", { tile: tileName(tile) })}`,
    }, picture(tile, { joker: desk.jokers().includes(tile) }), h("small", { "aria-hidden": "true" }, `×${left}`)))),
    h("p", { class: "muted" }, t("helpsHint")),
  ];
}

function choosePung() {
  openPicker({
    title: t("whichDiscarded"), jokers: desk.jokers(), chosen: null, faceDown: false,
    onpick: async (tile) => {
      const { drawn: _, ...request } = desk.request();
      const isNewest = pungAsked();
      let pung = null;
      try {
        pung = await askPung({ ...request, tile });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        pung = { kind: "none", reasons: [error], tile };
      }
      if (!isNewest()) return;
      state.pung = pung;
      draw();
      byId("advice").querySelector("[data-pung]")?.focus({ preventScroll: true });
    },
  });
}

function pungView() {
  const { pung } = state;
  const verdict = () => {
    if (pung.kind === "none") return pung.reasons.map((one) => h("p", {}, sentence(one)));
    const word = !pung.may ? "mayNotPung" : pung.worth ? "pungWorth" : "pungNotWorth";
    return [
      h("p", { class: pung.may ? "headline" : "headline lost" }, t(word, { tile: tileName(pung.tile) })),
      (pung.may ? [pung.reason] : pung.refused).map((one) => h("p", {}, sentence(one))),
    ];
  };
  return h("div", { class: "pung" },
    h("button", { type: "button", class: "quiet", "data-pung": "", onclick: choosePung }, t("mayIPung")),
    pung ? h("div", { "aria-live": "polite", class: "pung-answer" }, verdict()) : null);
}

function switchView() {
  return h("label", { class: "check" }, h("input", {
    type: "checkbox", id: "hide-advice", checked: state.hidden, onchange: (event) => setHidden(event.target.checked),
  }), t("hideAdvice"));
}

function body() {
  if (isPutAway()) {
    return [h("p", {}, t("putAway")), h("button", {
      type: "button", class: "quiet", "data-reveal": "", onclick: reveal,
    }, t("handIsOver"))];
  }
  const { advice } = state;
  if (!advice) return [h("p", { class: "muted" }, t("thinking"))];
  if (advice.kind === "discard") return discardsView(advice);
  if (advice.kind === "wait") return [helpsView(advice.standing), ...kongsView(advice.kongs), pungView()];
  return advice.reasons.map((one) => h("p", {}, sentence(one)));
}

/** Draw the card of advice. */
export function draw() {
  const root = byId("advice");
  root.hidden = !isOpen(state.answer);
  if (root.hidden) return;
  const had = root.contains(document.activeElement) ? document.activeElement.id : "";
  root.replaceChildren(h("h2", { id: "advice-title" }, t(state.answer.kind === "waits" ? "nextTitle" : "adviceTitle")),
    ...body().flat(Infinity).filter(Boolean), switchView());
  if (had) byId(had)?.focus({ preventScroll: true });
}
