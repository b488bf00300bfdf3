// The live view: a camera's table as it is now, put right by tapping, for any number of pages.

import { inOrder, isNewer, newestOnly, notTwice } from "./answers.js";
import { ApiError, correctLive, getCameras, getLan, notThisSet, redoLive, setLiveRolls, startLive, stopLive, undoLive } from "./api.js";
import { newHand } from "./coach.js";
import { fromLive } from "./corrections.js";
import { h } from "./dom.js";
import { undoKey } from "./editor.js";
import { addLayer } from "./liveadd.js";
import { isSending, sendCamera, stopCamera } from "./livecamera.js";
import { scorableSeats, toDesk } from "./livedesk.js";
import { makeFeed } from "./livefeed.js";
import { chooseAbsent, chooseIndicator, chooseTile } from "./livepicker.js";
import { PlaceEditor } from "./liveplace.js";
import { judgedOtherwise, playedRules, rulesView, tellRules } from "./liverules.js";
import { setView } from "./liveset.js";
import { startForm } from "./livestart.js";
import { adviceView, doubtsView, eventsView, handView, onputaway, outlines, tableView } from "./liveview.js";
import { onrules } from "./ruleoptions.js";
import { currentLanguage, say, t } from "./words.js";

const feed = makeFeed();
// What is done by tapping reaches the server in the order of the taps.
const commands = inOrder();
const choicesAsked = newestOnly();
const state = { message: null, connected: true, choices: null, source: "", adding: false, handAt: 0 };
let root = null;
let placing = null;
const parts = {};
const drawn = {};

const isShown = () => root !== null && !root.hidden;

function skeleton() {
  const card = (name, title, ...inside) => {
    parts[name] = h("div", { class: `live-${name}` });
    return h("section", { class: "card", "data-part": name, "aria-labelledby": `live-${name}-title` },
      h("h2", { id: `live-${name}-title`, "data-title": title }), ...inside, parts[name]);
  };
  parts.image = h("img", { alt: "", width: 4, height: 3 });
  parts.frame = h("div", { class: "frame-box" }, parts.image);
  parts.stage = h("div", { class: "stage live-stage", hidden: true }, parts.frame);
  parts.banner = h("div", { class: "live-banner", role: "status" });
  parts.tools = h("div", { class: "photo-tools" });
  parts.rules = h("div", { class: "live-rules" });
  parts.set = h("div", { class: "live-recognised" });
  parts.said = h("p", { class: "status wrong", role: "alert" });
  parts.hint = h("p", { class: "muted live-hint", role: "status" });
  parts.place = h("div", { class: "live-place", hidden: true });
  placing = new PlaceEditor({ root: parts.place, size: () => state.message?.session?.state ?? null, onclose: placed });
  root.replaceChildren(
    h("div", { class: "live-left" },
      h("section", { class: "card", "aria-labelledby": "live-title" },
        h("h2", { id: "live-title", "data-title": "liveTitle" }),
        parts.banner, parts.rules, parts.stage, parts.place, parts.set, parts.hint, parts.said, parts.tools),
      card("doubts", "doubts"), startCard()),
    h("div", { class: "live-right" },
      card("hand", "myHand"), card("advice", "liveAdvice"),
      card("table", "tableTitle"), card("events", "liveHappened")));
}

/** Folded away while a camera runs. */
function startCard() {
  parts.start = h("div", { class: "live-start" });
  parts.fold = h("details", { class: "card", open: true },
    h("summary", {}, h("h2", { "data-title": "startTitle" })), parts.start);
  return parts.fold;
}

/** Draw a part anew only when what it shows has changed, and keep the focus where it was. */
function update(name, data, build) {
  const key = JSON.stringify([data, currentLanguage()]);
  if (drawn[name] === key) return;
  drawn[name] = key;
  const part = parts[name];
  const had = part.contains(document.activeElement) ? document.activeElement : null;
  const mark = had && ["data-tile", "data-strip", "data-turned", "data-value", "id"].find((one) => had.hasAttribute(one));
  part.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  if (mark) part.querySelector(`[${mark}="${CSS.escape(had.getAttribute(mark))}"]`)?.focus({ preventScroll: true });
}

function bannerText(session) {
  const { source, state: seen } = session;
  const name = { source: session.browser ? t("browserCamera") : source.source };
  if (!state.connected) return ["offline", t("liveOffline")];
  if (source.state === "live") {
    if (session.error) return ["doubt", t("liveError", { why: session.error })];
    const open = seen?.doubts.length ?? 0;
    if (open) return ["doubt", `${t("liveNow", name)} · ${t("liveCheck", { n: open })}`];
    return seen?.moving ? ["live", `${t("liveNow", name)} · ${t("liveMoving")}`] : ["live", t("liveNow", name)];
  }
  if (source.state === "connecting") return ["connecting", t("liveConnecting", name)];
  if (source.state === "ended" && source.reason?.code === "end_of_file") return ["ended", t("liveEnded", name)];
  const time = new Date((seen?.wall ?? 0) * 1000).toLocaleTimeString();
  const old = seen ? t("liveOld", { time }) : t("liveUnplugged");
  return ["offline", `${source.reason ? say(source.reason) : ""} ${old}`];
}

function drawBanner() {
  const session = state.message?.session ?? null;
  const problem = state.message?.problem ?? null;
  let [kind, text] = ["none", ""];
  if (session) [kind, text] = bannerText(session);
  else if (!state.connected) [kind, text] = ["offline", t("liveOffline")];
  else if (problem) [kind, text] = ["offline", say(problem)];
  parts.banner.dataset.kind = kind;
  if (parts.bannerText !== text + kind) {
    parts.bannerText = text + kind;
    const open = kind === "doubt" && session?.state?.doubts.length;
    parts.banner.replaceChildren(h("span", {}, text), ...(open ? [h("button", {
      type: "button", class: "quiet", "data-to-doubts": "", onclick: lookAtDoubts,
    }, t("liveToDoubts"))] : []));
  }
  parts.banner.hidden = text === "";
}

function draw() {
  if (!isShown()) return;
  for (const node of root.querySelectorAll("[data-title]")) node.textContent = t(node.dataset.title);
  drawBanner();
  const session = state.message?.session ?? null;
  const seen = session?.state ?? null;
  const old = !state.connected || (seen?.stale ?? false);
  followHands(session);
  if (!seen) state.adding = false;
  if (!session && placing.shown) placing.close();
  parts.place.hidden = !placing.shown;
  parts.stage.hidden = !session || !parts.image.src || placing.shown;
  parts.hint.textContent = state.adding ? t("liveAddHelp") : parts.done ?? "";
  parts.hint.hidden = !parts.hint.textContent;
  parts.stage.classList.toggle("busy", old);
  parts.image.alt = t("livePicture");
  drawOutlines(session);
  drawTools(session);
  update("rules", session !== null && judgedOtherwise(session), () => (session && judgedOtherwise(session)
    ? rulesView(() => tellRules().then(draw)) : []));
  const set = session?.tile_set ?? null;
  update("set", set, () => (set ? setView(set, (key) => attempt(() => notThisSet(key))) : []));
  reachLayer();
  const show = (name, wanted) => {
    root.querySelector(`[data-part="${name}"]`).hidden = !wanted;
  };
  show("doubts", seen?.doubts.length);
  for (const name of ["hand", "advice", "table"]) show(name, seen);
  show("events", session?.events.length);
  drawStart();
  if (!seen) return;
  if (!old) fromLive(session, parts.image);
  const { tiles, jokers, doubts } = seen;
  const said = [session.corrected, session.placed, session.added];
  update("hand", [tiles, jokers, said, session.named, seen.indicator, seen.turned], () => [
    handView(session, { onpick: choose, onindicator: () => chooseIndicator(state.message.session, put) }),
    h("div", { class: "sources" }, scorableSeats(seen).map((seat) => h("button", {
      type: "button", class: seat === 0 ? "primary" : "quiet", "data-to-desk": seat,
      onclick: () => layOnDesk(state.message.session, seat),
    }, seat === 0 ? t("liveToDesk") : t("liveHandOfSeat", { name: t(`seat${seat}`) })))),
  ]);
  update("advice", [seen.analysis, old, putAway], () => adviceView(session, state.connected));
  update("doubts", [doubts, tiles], () => doubtsView(session, {
    onchoice: settle, onpick: choose, onplace: openPlacing, onnewhand: beginHand,
  }));
  update("table", [tiles, seen.seats, seen.dice, seen.wall_backs, seen.round, said],
    () => tableView(session, choose));
  update("events", session.events, () => [eventsView(session.events)]);
}

let putAway = 0;
onputaway(() => {
  putAway += 1;
  draw();
});

function drawOutlines(session) {
  const seen = session?.state;
  const key = JSON.stringify([seen?.tiles, seen?.absent, seen?.jokers, session?.corrected, session?.placed, session?.added,
    state.adding, parts.frame.clientWidth, currentLanguage()]);
  if (drawn.outlines === key) return;
  drawn.outlines = key;
  const had = parts.frame.contains(document.activeElement) ? document.activeElement.dataset.tile : null;
  parts.frame.querySelector("svg")?.remove();
  if (!state.adding || !seen) parts.frame.querySelector(".add-layer")?.remove();
  if (!seen) return;
  parts.frame.style.aspectRatio = `${seen.width} / ${seen.height}`;
  parts.frame.style.setProperty("--ratio", seen.width / seen.height);
  const outlined = outlines(session, parts.frame.clientWidth, choose, (tile) => chooseAbsent(state.message.session, tile, put));
  const layer = parts.frame.querySelector(".add-layer");
  // Under the layer, which stays where it is: one that is moved loses the keyboard.
  if (layer) layer.before(outlined);
  else parts.frame.append(outlined);
  if (!layer && state.adding) parts.frame.append(addLayer({ jokers: seen.jokers, put, stop: () => setAdding(false) }));
  if (had) parts.frame.querySelector(`[data-tile="${had}"]`)?.focus({ preventScroll: true });
}

function drawTools(session) {
  const seen = session?.state ?? null;
  const facts = session && [session.undo, session.redo, session.number, seen === null, seen?.placement, state.adding, placing.shown];
  const button = (id, label, run, more = {}) =>
    h("button", { type: "button", class: "quiet", id, onclick: run, ...more }, label);
  update("tools", [facts, isSending()], () => (session ? [
    button("live-undo", t("liveUndo"), () => attempt(undoLive), { disabled: session.undo === 0 }),
    button("live-redo", t("liveRedo"), () => attempt(redoLive), { disabled: session.redo === 0 }),
    seen && !placing.shown ? [
      button("live-add", t(state.adding ? "liveAddStop" : "liveAddTile"), () => setAdding(!state.adding), { "aria-pressed": String(state.adding) }),
      button("live-place", seen.placement ? t("placeNow", { name: seen.placement === "guess" ? t("placeGuessName") : seen.placement }) : t("placeOpen"), openPlacing),
      button("live-new-hand", t("liveNewHand"), beginHand),
    ] : null,
    button("live-stop", t(isSending() ? "stopThisCamera" : "stop"), () => {
      stopCamera();
      attempt(stopLive);
    }),
  ] : []));
}

const put = (body) => attempt(() => correctLive(body));

function setAdding(adding) {
  state.adding = adding;
  state.reached = false;
  parts.done = null;
  draw();
  if (!adding) root.querySelector("#live-add")?.focus({ preventScroll: true });
}

/** The layer takes the keyboard once it can be seen: the first picture may still be on its way. */
function reachLayer() {
  const layer = state.adding && !state.reached ? parts.frame.querySelector(".add-layer") : null;
  if (!layer?.getClientRects().length) return;
  state.reached = true;
  layer.focus({ preventScroll: true });
}

const openPlacing = notTwice(async () => {
  state.adding = false;
  parts.done = null;
  complain(null);
  await placing.open().catch(refused);
  draw();
  parts.place.querySelector("[data-corner]")?.focus({ preventScroll: true });
});

const layOnDesk = notTwice((session, seat) => toDesk(session, seat).catch(refused));

/** The placement editor has closed; `done` says what it has done. */
function placed(done) {
  parts.done = done;
  draw();
  root.querySelector("#live-place")?.focus({ preventScroll: true });
  loadChoices();
}

function lookAtDoubts() {
  const part = root.querySelector('[data-part="doubts"]');
  part.scrollIntoView({ block: "nearest" });
  part.querySelector("button")?.focus({ preventScroll: true });
}

/** Advice that was taken out after one hand is put away again for the next. */
function followHands(session) {
  const begun = (session?.events ?? []).filter((one) => ["rolled", "flipped", "cleared"].includes(one.kind)).at(-1);
  const at = begun ? begun.wall : 0;
  const [before, number] = [state.handAt, session?.number ?? 0];
  state.handAt = `${number} ${at}`;
  if (before && before !== state.handAt) putAdviceAway();
}

function putAdviceAway() {
  newHand();
  putAway += 1;
}

function beginHand() {
  putAdviceAway();
  return put({ new_hand: true });
}

function drawStart() {
  const number = state.message?.session?.number ?? 0;
  if (drawn.session !== number) {
    drawn.session = number;
    parts.fold.open = number === 0;
  }
  const { cameras = [], placements = [], lan = null } = state.choices ?? {};
  update("start", [cameras, placements, lan, isSending()], () => startForm({ cameras, placements, lan }, {
    source: state.source,
    ontyped: (source) => {
      state.source = source;
    },
    onstart: start,
    onbrowser: useThisCamera,
  }));
}

function complain(text) {
  parts.said.textContent = text ?? "";
}

function refused(error) {
  if (!(error instanceof ApiError)) throw error;
  complain(say(error));
}

/** Show what the server tells, unless something newer is shown already: answers overtake one another. */
function take(message) {
  if (isNewer(message, state.message)) state.message = message;
}

/** Do something with the server; a refusal is said, and the answer is drawn at once. */
async function attempt(work) {
  complain(null);
  try {
    take(await commands(work));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(say(error));
  }
  draw();
}

const start = notTwice((chosen) => {
  stopCamera();
  return attempt(() => startLive({ ...chosen, options: playedRules() }));
});

const useThisCamera = notTwice(async (placement) => {
  complain(null);
  try {
    await sendCamera(async () => {
      take(await commands(() => startLive({ browser: true, placement, options: playedRules() })));
    }, (trouble) => {
      if (trouble === "stopped") complain(t("cameraStopped"));
      else complain(trouble === null ? null : t("framesRefused", { why: say(trouble) }));
      draw();
    });
  } catch (error) {
    complain(error instanceof ApiError ? say(error) : t("cameraRefused", { why: error.name === "Error" ? error.message : error.name }));
  }
  draw();
});

const choose = (tile) => chooseTile(state.message.session, tile, put);

function settle(doubt, choice) {
  if (doubt.code === "dealer") return put({ dealer: Number(choice.value) });
  if (doubt.code === "roll") return sayRolls(JSON.parse(choice.value));
  return put({ id: doubt.tiles[0], tile: choice.value });
}

/** The opening's rolls as a person says; the table as it is then comes with its next message. */
const sayRolls = (rolls) => attempt(async () => {
  await setLiveRolls(rolls);
  return state.message;
});

function watch() {
  feed.open((message, connected) => {
    if (message) take(message);
    state.connected = connected;
    draw();
  }, (url) => {
    parts.image.src = url;
    if (parts.stage.hidden) draw();
  });
}

document.addEventListener("keydown", (event) => {
  const direction = isShown() && state.message?.session ? undoKey(event) : null;
  if (!direction) return;
  event.preventDefault();
  attempt(direction === "undo" ? undoLive : redoLive);
});

onrules(draw);

// A page that is not looked at costs the table nothing.
addEventListener("hashchange", () => {
  if (!isShown()) feed.close();
});

export async function show(view) {
  if (root === null) {
    root = view;
    skeleton();
  }
  for (const name of Object.keys(drawn)) delete drawn[name];
  parts.bannerText = null;
  if (placing.shown && state.message?.session?.state) placing.draw();
  watch();
  draw();
  await loadChoices();
}

async function loadChoices() {
  const isNewest = choicesAsked();
  try {
    const [cameras, lan] = await Promise.all([getCameras(), getLan()]);
    if (!isNewest()) return;
    state.choices = { ...cameras, lan };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  draw();
}
