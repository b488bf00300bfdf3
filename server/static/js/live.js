// The live view: a camera's table as it is now, put right by tapping, for any number of pages.

import { ApiError, correctLive, getCameras, getLan, startLive, stopLive, undoLive } from "./api.js";
import { fromLive } from "./corrections.js";
import { h } from "./dom.js";
import { isSending, sendCamera, stopCamera } from "./livecamera.js";
import { makeFeed } from "./livefeed.js";
import { adviceView, doubtsView, eventsView, handView, onputaway, outlines, tableView } from "./liveview.js";
import { openPicker } from "./picker.js";
import { currentLanguage, say, t } from "./words.js";

const feed = makeFeed();
const state = { message: null, connected: true, choices: null, trouble: null, source: "" };
let root = null;
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
  parts.said = h("p", { class: "status wrong", role: "alert" });
  root.replaceChildren(
    h("div", { class: "live-left" },
      h("section", { class: "card", "aria-labelledby": "live-title" },
        h("h2", { id: "live-title", "data-title": "liveTitle" }),
        parts.banner, parts.stage, parts.said, parts.tools),
      startCard()),
    h("div", { class: "live-right" },
      card("doubts", "doubts"), card("hand", "myHand"), card("advice", "liveAdvice"),
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
  if (parts.banner.textContent !== text) parts.banner.textContent = text;
  parts.banner.hidden = text === "";
}

function draw() {
  if (!isShown()) return;
  for (const node of root.querySelectorAll("[data-title]")) node.textContent = t(node.dataset.title);
  drawBanner();
  const session = state.message?.session ?? null;
  const seen = session?.state ?? null;
  const old = !state.connected || (seen?.stale ?? false);
  parts.stage.hidden = !session || !parts.image.src;
  parts.stage.classList.toggle("busy", old);
  parts.image.alt = t("livePicture");
  drawOutlines(session);
  drawTools(session);
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
  update("hand", [tiles, jokers, session.corrected, session.named, seen.indicator],
    () => handView(session, { onpick: choose, onindicator: chooseIndicator }));
  update("advice", [seen.analysis, old, putAway], () => adviceView(session, state.connected));
  update("doubts", [doubts, tiles], () => doubtsView(session, { onchoice: settle, onpick: choose }));
  update("table", [tiles, seen.seats, seen.dice, seen.wall_backs, seen.round, session.corrected],
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
  const key = JSON.stringify([seen?.tiles, seen?.jokers, session?.corrected, parts.frame.clientWidth, currentLanguage()]);
  if (drawn.outlines === key) return;
  drawn.outlines = key;
  const had = parts.frame.contains(document.activeElement) ? document.activeElement.dataset.tile : null;
  parts.frame.querySelector("svg")?.remove();
  if (!seen) return;
  parts.frame.style.aspectRatio = `${seen.width} / ${seen.height}`;
  parts.frame.style.setProperty("--ratio", seen.width / seen.height);
  parts.frame.append(outlines(session, parts.frame.clientWidth, choose));
  if (had) parts.frame.querySelector(`[data-tile="${had}"]`)?.focus({ preventScroll: true });
}

function drawTools(session) {
  update("tools", [session && [session.undo, session.number, session.state === null], isSending()], () => (session ? [
    h("button", { type: "button", class: "quiet", id: "live-undo", disabled: session.undo === 0, onclick: () => attempt(undoLive) }, t("liveUndo")),
    session.state ? h("button", { type: "button", class: "quiet", id: "live-new-hand", onclick: () => attempt(() => correctLive({ new_hand: true })) }, t("liveNewHand")) : null,
    h("button", { type: "button", class: "quiet", id: "live-stop", onclick: () => {
      stopCamera();
      attempt(stopLive);
    } }, t(isSending() ? "stopThisCamera" : "stop")),
  ] : []));
}

function drawStart() {
  const number = state.message?.session?.number ?? 0;
  if (drawn.session !== number) {
    drawn.session = number;
    parts.fold.open = number === 0;
  }
  const { cameras = [], placements = [], lan = null } = state.choices ?? {};
  update("start", [cameras, placements, lan, isSending()], () => {
    const field = h("input", {
      type: "text", id: "live-source", value: state.source, list: "live-cameras", autocomplete: "off",
      oninput: (event) => {
        state.source = event.target.value;
      },
    });
    const where = h("select", { id: "live-placement" }, h("option", { value: "" }, t("noPlacement")),
      placements.map((name) => h("option", { value: name }, name)));
    const placement = () => where.value || null;
    return h("form", { class: "live-form", onsubmit: (event) => {
      event.preventDefault();
      const source = field.value.trim();
      if (!source) return field.focus();
      stopCamera();
      return attempt(() => startLive({ source, placement: placement() }));
    } },
    h("label", { for: "live-source" }, t("sourceLabel")), field,
    h("datalist", { id: "live-cameras" }, cameras.map((one) => h("option", { value: String(one.number) }, one.name))),
    h("p", { class: "muted" }, t("startHelp")),
    placements.length ? [h("label", { for: "live-placement" }, t("placementLabel")), where] : null,
    h("div", { class: "choices" },
      h("button", { type: "submit", class: "primary", id: "live-start" }, t("start")),
      h("button", { type: "button", id: "live-browser", onclick: () => useThisCamera(placement()) }, t("useThisCamera"))),
    lan?.address ? phoneView(lan) : null);
  });
}

/** How a phone joins, where other devices are let in at all. */
const phoneView = ({ address, secure, qr }) => h("div", { class: "live-phone" },
  h("h3", {}, t("phoneTitle")),
  h("p", {}, t("phoneHelp")),
  qr ? h("img", { src: qr, alt: t("phoneQr"), width: 200, height: 200 }) : null,
  h("p", {}, h("code", {}, address)),
  h("p", { class: "muted" }, t(secure ? "phoneWarning" : "phonePhotos")));

function complain(text) {
  parts.said.textContent = text ?? "";
}

/** Do something with the server; a refusal is said, and the answer is drawn at once. */
async function attempt(work) {
  complain(null);
  try {
    state.message = await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(say(error));
  }
  draw();
}

async function useThisCamera(placement) {
  complain(null);
  try {
    await sendCamera(async () => {
      state.message = await startLive({ browser: true, placement });
    }, (trouble) => {
      if (trouble === "stopped") complain(t("cameraStopped"));
      else complain(trouble === null ? null : t("framesRefused", { why: say(trouble) }));
      draw();
    });
  } catch (error) {
    complain(error instanceof ApiError ? say(error) : t("cameraRefused", { why: error.name === "Error" ? error.message : error.name }));
  }
  draw();
}

function choose(tile) {
  const { corrected, state: seen } = state.message.session;
  const put = (body) => attempt(() => correctLive({ id: tile.id, ...body }));
  const items = [{ label: t("noTileHere"), danger: true, run: () => put({ nothing: true }) }];
  if (corrected.includes(tile.id)) items.unshift({ label: t("takeBack"), run: () => put({ tile: null }) });
  openPicker({
    title: t("pickCorrect"), jokers: seen.jokers, chosen: tile.tile, faceDown: true,
    likely: (tile.alternatives ?? []).filter(([code]) => !code.startsWith("die")),
    actions: [{ group: t("liveTitle"), items }],
    onpick: (code) => put({ tile: code }),
  });
}

function chooseIndicator() {
  const { named, state: seen } = state.message.session;
  const items = named.indicator === null ? []
    : [{ label: t("takeBack"), run: () => attempt(() => correctLive({ indicator: null })) }];
  openPicker({
    title: t("pickIndicator"), jokers: [], chosen: named.indicator ?? seen.indicator, faceDown: false,
    actions: items.length ? [{ group: t("indicator"), items }] : [],
    onpick: (code) => attempt(() => correctLive({ indicator: code })),
  });
}

function settle(doubt, choice) {
  if (doubt.code === "dealer") return attempt(() => correctLive({ dealer: Number(choice.value) }));
  return attempt(() => correctLive({ id: doubt.tiles[0], tile: choice.value }));
}

function watch() {
  feed.open((message, connected) => {
    state.message = message ?? state.message;
    state.connected = connected;
    draw();
  }, (url) => {
    parts.image.src = url;
    if (parts.stage.hidden) draw();
  });
}

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
  watch();
  draw();
  try {
    const [cameras, lan] = await Promise.all([getCameras(), getLan()]);
    state.choices = { ...cameras, lan };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  draw();
}
