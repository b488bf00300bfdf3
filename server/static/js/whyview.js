// "Why": the whole reason of a score, of a waiting tile or of a piece of advice, in a dialog.

import { advise, ApiError, score } from "./api.js";
import { drawAnswer } from "./answerview.js";
import { byId, h } from "./dom.js";
import { picture, withTiles } from "./tiles.js";
import { say, t, tileName } from "./words.js";

let asking = null;

function dialog() {
  const known = byId("why");
  if (known) return known;
  const made = h("dialog", { id: "why", "aria-labelledby": "why-title" });
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  made.addEventListener("close", () => asking?.abort());
  document.body.append(made);
  return made;
}

/** Open the dialog; `fill(body, signal)` says the reason, asking the server where it must. */
async function open(title, fill) {
  const node = dialog();
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const body = h("div", { class: "why-body", "aria-live": "polite" }, h("p", { class: "muted" }, t("thinking")));
  node.replaceChildren(
    h("header", {}, h("h2", { id: "why-title", tabindex: "-1" }, title),
      h("button", { type: "button", class: "quiet", "data-close-why": "", onclick: () => node.close() }, t("close"))),
    body);
  if (!node.open) node.showModal();
  try {
    await fill(body, signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof ApiError)) throw error;
    body.replaceChildren(h("p", { class: "notice", role: "alert" }, say(error)));
  }
}

/** What /api/score says of a hand, drawn as on the desk; its tiles are not for laying here. */
async function scored(place, request, signal) {
  const answer = await score(request, signal);
  const part = h("div", { class: "why-answer" });
  drawAnswer(part, answer, { onwait: (tile) => whyWait(request, tile), oncandidate: (tile) => whyWait(apart(request, tile), tile) });
  place.append(part);
}

function without(tiles, tile) {
  const at = tiles.indexOf(tile);
  return at < 0 ? tiles : tiles.toSpliced(at, 1);
}

/** The request with one tile of the hand set apart as the drawn one. */
const apart = (request, tile) => ({ ...request, hand: without(request.hand, tile), drawn: null });

/** Why the hand wins now, and what it pays. */
export const whyWin = (request) => open(t("whyWin"), async (body, signal) => {
  body.replaceChildren();
  await scored(body, request, signal);
});

/** Why tiles that are waited for win: the first one, and the others a tap away. */
export const whyWaits = (request, tiles, shown = tiles[0]) =>
  open(t("whyWait", { tile: tileName(shown) }), async (body, signal) => {
    const others = tiles.length > 1 ? h("div", { class: "row why-tiles" }, tiles.map((tile) => h("button", {
      type: "button", class: "pick", "data-why-tile": tile, "aria-pressed": String(tile === shown),
      "aria-label": t("whyWait", { tile: tileName(tile) }), onclick: () => whyWaits(request, tiles, tile),
    }, picture(tile)))) : "";
    body.replaceChildren(others);
    await scored(body, { ...request, drawn: shown }, signal);
  });

export const whyWait = (request, tile) => whyWaits(request, [tile]);

/** The hand after a discard. */
function after(request, tile) {
  const hand = request.drawn === tile ? request.hand
    : [...without(request.hand, tile), ...(request.drawn ? [request.drawn] : [])];
  return { ...request, hand, drawn: null, aside: [...(request.aside ?? []), tile] };
}

/** Which tiles bring a hand nearer, how many of each are left. */
function helps(standing) {
  if (!standing || standing.ready) return null;
  return h("div", {}, h("p", { class: "headline" }, t("stepsAway", { k: standing.shanten, n: standing.left })),
    h("div", { class: "row" }, standing.helps.map(({ tile, left }) => h("span", {
      class: "wait", role: "img", "aria-label": `${tileName(tile)}, ${t("left", { n: left })}`,
    }, picture(tile), h("small", { "aria-hidden": "true" }, `×${left}`)))));
}

/** Why a discard: its reason, and what the hand waits for or needs once the tile is gone. */
export const whyDiscard = (request, { tile, reason }) => open(t("whyDiscard", { tile: tileName(tile) }), async (body, signal) => {
  const rest = after(request, tile);
  const said = h("p", { class: "headline" }, withTiles(say(reason)));
  body.replaceChildren(said, h("h3", {}, t("whyAfter", { tile: tileName(tile) })));
  const advice = await advise(rest, signal);
  const need = helps(advice.standing);
  if (need) body.append(need);
  else await scored(body, rest, signal);
});

/** Why a tile helps: what the hand is with it, and what one would discard then. */
export const whyHelp = (request, tile) => open(t("whyHelp", { tile: tileName(tile) }), async (body, signal) => {
  const drawn = { ...request, drawn: tile };
  const advice = await advise(drawn, signal);
  body.replaceChildren(h("h3", {}, t("whyAfterDraw", { tile: tileName(tile) })),
    advice.headline ? h("p", { class: "headline" }, withTiles(say(advice.headline))) : "");
  const best = advice.discards?.[0];
  if (!best) return;
  body.append(h("p", {}, t("whyThen", { tile: tileName(best.tile) }), " ", withTiles(say(best.reason))));
});

/** A small button that asks why. */
export const whyButton = (label, run, marks = {}) => h("button", {
  type: "button", class: "quiet why-button", "aria-label": label, ...marks, onclick: run,
}, t("why"));
