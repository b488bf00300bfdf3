// The live view: a camera's table as it is now, put right by tapping, for any number of pages.

import { inOrder, isNewer, newestOnly, notTwice } from "./answers.js";
import { ApiError, correctLive, getCameras, getLan, notThisSet, redoLive, setLiveRolls, startLive, stopLive, thisSet, undoLive } from "./api.js";
import { newHand } from "./coach.js";
import { fromLive } from "./corrections.js";
import { h } from "./dom.js";
import { undoKey } from "./editor.js";
import { addLayer } from "./liveadd.js";
import { drawBanner } from "./livebanner.js";
import { isSending, sendCamera, stopCamera } from "./livecamera.js";
import { scorableSeats, toDesk } from "./livedesk.js";
import { makeFeed } from "./livefeed.js";
import { makeHands } from "./livehands.js";
import { adviserView, howView, makeAdviser } from "./livehow.js";
import { chooseAbsent, chooseIndicator, chooseTile } from "./livepicker.js";
import { layOut } from "./livepage.js";
import { PlaceEditor } from "./liveplace.js";
import { judgedOtherwise, playedRules, rulesView, tellRules } from "./liverules.js";
import { setView } from "./liveset.js";
import { chooseRoll, chooseUnseen, settle } from "./livesettle.js";
import { startForm } from "./livestart.js";
import { toolsView } from "./livetools.js";
import { adviceView, doubtsView, eventsView, handView, onputaway, outlines, tableView } from "./liveview.js";
import { onrules } from "./ruleoptions.js";
import { whichSetView } from "./whichset.js";
import { currentLanguage, say, t } from "./words.js";

const feed = makeFeed();
// What is done by tapping reaches the server in the order of the taps.
const commands = inOrder();
const choicesAsked = newestOnly();
const state = { message: null, connected: true, choices: null, source: "", adding: false, camera: null, pictured: null };
let root = null;
let placing = null;
const parts = {};
const drawn = {};

const isShown = () => root !== null && !root.hidden;

/** Draw a part anew only when what it shows has changed, and keep the focus where it was. */
function update(name, data, build) {
  const key = JSON.stringify([data, currentLanguage()]);
  if (drawn[name] === key) return;
  drawn[name] = key;
  const part = parts[name];
  const had = part.contains(document.activeElement) ? document.activeElement : null;
  const mark = had && ["data-tile", "data-strip", "data-turned", "data-value", "data-about", "id"].find((one) => had.hasAttribute(one));
  part.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  if (mark) part.querySelector(`[${mark}="${CSS.escape(had.getAttribute(mark))}"]`)?.focus({ preventScroll: true });
}

function draw() {
  if (!isShown()) return;
  for (const node of root.querySelectorAll("[data-title]")) node.textContent = t(node.dataset.title);
  const session = state.message?.session ?? null;
  hands.follow(session);
  const open = hands.open(session);
  drawBanner(parts.banner, state.message, {
    connected: state.connected, open: open.length, lost: !isSending() && state.camera === session?.number, onlook: lookAtDoubts, onagain: goOn,
  });
  const seen = session?.state ?? null;
  const old = !state.connected || (seen?.stale ?? false);
  if (!seen) state.adding = false;
  if (!session && placing.shown) placing.close();
  parts.place.hidden = !placing.shown;
  // The last picture of the source before is no picture of this one.
  parts.stage.hidden = !session || state.pictured !== session.number || placing.shown;
  parts.hint.textContent = state.adding ? t("liveAddHelp") : parts.done ?? "";
  parts.hint.hidden = !parts.hint.textContent;
  parts.stage.classList.toggle("busy", old);
  parts.image.alt = t("livePicture");
  drawOutlines(session);
  drawTools(session);
  update("rules", session !== null && judgedOtherwise(session), () => (session && judgedOtherwise(session)
    ? rulesView(() => tellRules().then(draw)) : []));
  const set = session?.tile_set ?? null;
  const sets = session?.set_candidates ?? [];
  update("set", [set, sets], () => (sets.length
    ? whichSetView("live-which-set", sets, set?.name ?? null, (key) => attempt(() => thisSet(key)))
    : set && setView(set, (key) => attempt(() => notThisSet(key)))));
  reachLayer();
  drawCards(session, open);
  drawStart();
  const trouble = adviser(session, parts.image);
  if (!seen) return;
  if (!old) fromLive(session, parts.image);
  drawSeen(session, { old, open, trouble });
}

/** Which cards stand there at all. */
function drawCards(session, open) {
  const seen = session?.state ?? null;
  const show = (name, wanted) => {
    root.querySelector(`[data-part="${name}"]`).hidden = !wanted;
  };
  show("doubts", open.length);
  for (const name of ["hand", "advice", "table"]) show(name, seen);
  show("events", session?.events.length);
  // Until the program has said whether a camera runs, neither is offered: it would be gone at once.
  const known = state.message !== null || !state.connected;
  show("how", known && !seen);
  parts.fold.hidden = !known;
  update("how", null, howView);
  // Nothing but its title would stand there.
  parts.watched.hidden = !session && [parts.banner, parts.hint].every((one) => one.hidden) && !parts.said.textContent;
}

/** What is known of the table; what may be wrong (`trouble`) where no hand is seen. */
function drawSeen(session, { old, open, trouble }) {
  const { state: seen } = session;
  const { tiles, jokers } = seen;
  const said = [session.corrected, session.placed, session.added];
  update("hand", [tiles, jokers, said, session.named, seen.indicator, seen.turned, trouble], () => [
    handView(session, { onpick: choose, onindicator: () => chooseIndicator(state.message.session, put) }, adviserView(trouble, openPlacing)),
    h("div", { class: "sources" }, scorableSeats(seen).map((seat) => h("button", {
      type: "button", class: seat === 0 ? "primary" : "quiet", "data-to-desk": seat,
      onclick: () => layOnDesk(state.message.session, seat),
    }, seat === 0 ? t("liveToDesk") : t("liveHandOfSeat", { name: t(`seat${seat}`) })))),
  ]);
  update("advice", [seen.analysis, old, putAway], () => adviceView(session, state.connected));
  update("doubts", [open, tiles], () => doubtsView(session, open, {
    onchoice: (doubt, choice) => settle(doubt, choice, put, sayRolls), onpick: choose, onplace: openPlacing,
    onnewhand: beginHand, onroll: askRoll, onturned: () => chooseIndicator(state.message.session, put),
    onunseen: (doubt) => chooseUnseen(state.message.session, doubt, put),
    onleave: (doubt) => {
      hands.leave(doubt);
      draw();
    },
  }));
  update("table", [tiles, seen.seats, seen.dice, seen.wall_backs, seen.round, said, session.rolls, seen.placement === null],
    () => tableView(session, { onpick: choose, onroll: askRoll, onplace: openPlacing }));
  update("events", session.events, () => [eventsView(session.events)]);
}

const adviser = makeAdviser(draw);
// Advice that was taken out after one hand is put away again for the next.
const hands = makeHands(putAdviceAway);
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
  const now = session && {
    undo: session.undo, redo: session.redo, number: session.number, seen: seen !== null, placement: seen?.placement ?? null,
    adding: state.adding, placing: placing.shown, sending: isSending(),
  };
  update("tools", now, () => (now ? toolsView(now, {
    undo: () => attempt(undoLive), redo: () => attempt(redoLive), add: () => setAdding(!state.adding),
    place: openPlacing, newHand: beginHand,
    stop: () => {
      stopCamera();
      attempt(stopLive);
    },
  }) : []));
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
  // It may have been asked for from far below.
  const { top } = parts.place.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) parts.place.scrollIntoView();
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

/** Send this device's pictures, once `begin()` has made the table ready for them. */
const send = notTwice(async (begin) => {
  complain(null);
  try {
    await sendCamera(begin, (trouble) => {
      if (trouble === "stopped") complain(t("cameraStopped"));
      else complain(trouble === null ? null : t("framesRefused", { why: say(trouble) }));
      draw();
    });
    state.camera = state.message?.session?.number ?? null;
  } catch (error) {
    complain(error instanceof ApiError ? say(error) : t("cameraRefused", { why: error.name === "Error" ? error.message : error.name }));
  }
  draw();
});

const useThisCamera = (placement) => send(async () => {
  take(await commands(() => startLive({ browser: true, placement, options: playedRules() })));
});

/** The camera was lost: its table waits for it, with all that has happened at it. */
const goOn = () => send(() => undefined);

const choose = (tile) => chooseTile(state.message.session, tile, put);

/** The opening's rolls as a person says; the table as it is then comes with its next message. */
const sayRolls = (rolls) => attempt(async () => {
  await setLiveRolls(rolls);
  return state.message;
});

const askRoll = (at) => chooseRoll(() => state.message.session?.rolls ?? [], at, sayRolls);

function watch() {
  feed.open((message, connected) => {
    if (message) take(message);
    state.connected = connected;
    draw();
  }, (url) => {
    parts.image.src = url;
    state.pictured = state.message?.session?.number ?? null;
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
    Object.assign(parts, layOut(root));
    placing = new PlaceEditor({ root: parts.place, size: () => state.message?.session?.state ?? null, onclose: placed });
  }
  for (const name of Object.keys(drawn)) delete drawn[name];
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
