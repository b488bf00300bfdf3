// The score desk: one table with its history, drawn anew after every change.

import { ApiError, getFile, readPhoto, score } from "./api.js";
import { drawAnswer, drawError } from "./answerview.js";
import { carryOver } from "./carried.js";
import * as coach from "./coach.js";
import { fromDesk, letGo } from "./corrections.js";
import { drawDesk } from "./deskview.js";
import { byId, h } from "./dom.js";
import { drawDoubts } from "./doubtview.js";
import { applyChoice, openDoubts } from "./doubts.js";
import { Editor, undoKey } from "./editor.js";
import { History } from "./history.js";
import { drawPhoto, showable } from "./photoview.js";
import { drawReadStatus } from "./readstatus.js";
import { onrules, rulesInForce } from "./ruleoptions.js";
import { circumstances } from "./rulesview.js";
import { drawSamples, listen } from "./source.js";
import * as model from "./table.js";
import { makeQuestion } from "./whichset.js";
import { whyWaits } from "./whyview.js";
import { t, tileName } from "./words.js";

const SCORE_DELAY_MS = 120;

const history = new History(model.emptyTable());
const page = {
  photo: null, sample: null, doubts: [], notes: [], samples: [], jokers: [], answer: null,
  focused: null, marking: false, status: null, read: {}, tileSet: null,
  asRead: null, kept: 0, // the table as the photo was read; what was changed when it was read again
};
const sets = makeQuestion(() => byId("which-set"));
const heard = [];
let scoring = null;
let scoreTimer = 0;
let reading = null;

const table = () => history.value;
const editor = new Editor({
  table,
  apply,
  jokers: () => page.jokers,
  focus: (id) => {
    page.focused = id;
    drawTable();
    byId("table").querySelector(`[data-tile="${id}"]`)?.focus();
  },
});

/** What the other parts of the page may know of the desk, and do to it. */
export const desk = {
  /** What /api/score is asked about the tiles that lie here now. */
  request: () => model.scoreRequest(table(), rulesInForce()),
  answer: () => page.answer,
  jokers: () => page.jokers,
  photo: () => page.photo,
  indicator: () => indicatorCode(),
  setIndicator: (code) => apply(model.setIndicator(table(), code)),
  /** Put the drawn tile, or the first of that face in the hand, aside. */
  discard: (code) => apply(model.discard(table(), code), t("discarded", { tile: tileName(code) })),
  /** Lay a hand from elsewhere; the photo goes. */
  lay: (hand) => {
    clearPhoto();
    apply(model.tableFromHand(hand));
  },
  /** Take a hand of the live table, as /api/read would give it, with the picture it was seen in. */
  takeLive: (found, url, indicator) => {
    reading?.abort();
    sets.close();
    takeReading(found, { url }, null, indicator);
    setStatus({ key: "liveOnDesk" });
  },
  /** Call `listener(answer)` after every answer. */
  onanswer: (listener) => heard.push(listener),
};

function reveal(hidden) {
  document.documentElement.classList.remove(hidden);
}

function announce(text) {
  byId("said").textContent = text;
}

/** Take an edited table: remember it for undo, draw it, score it. */
function apply(next, said = "", focus = page.focused) {
  if (!history.push(next)) return;
  page.focused = focus;
  announce(said);
  draw();
  askScore();
  tellCorrections();
}

/** What is not as it was read may teach a set of tiles, where the person has agreed to that. */
function tellCorrections() {
  const { tiles } = table();
  const put = Object.values(tiles).filter((one) => one.box && page.read[one.id] && page.read[one.id] !== one.code);
  fromDesk(page.photo, put.map((one) => ({
    id: one.id, box: one.box, tile: one.code, was: page.read[one.id], set: page.tileSet,
  })));
}

function step(direction) {
  if (!history[direction]()) return;
  announce(t(direction === "undo" ? "undone" : "redone"));
  draw();
  askScore();
  tellCorrections();
}

function drawTable() {
  drawDesk(byId("table"), table(), page);
  byId("table").append(circumstances(table().flags, (name, value) => {
    apply(model.setFlag(table(), name, value));
    byId(`flag-${name}`)?.focus();
  }));
}

function draw() {
  drawTable();
  drawPhoto(byId("stage"), page.photo, table(), { jokers: page.jokers, onpick: pickOnPhoto });
  drawDoubts(byId("doubts"), page.doubts, page.photo, table(), {
    onchoice: (doubt, number, choice) => {
      const changed = choice === null ? table() : applyChoice(table(), doubt, choice);
      highlight([]);
      apply(model.settle(changed, number));
    },
    onlook: highlight,
    onedit: (id) => editor.open(id),
    onadd: () => editor.fill("hand"),
  });
  byId("undo").disabled = !history.canUndo;
  byId("redo").disabled = !history.canRedo;
  const boxed = page.photo !== null && Object.values(table().tiles).some((tile) => tile.box);
  byId("mark").hidden = !boxed;
  byId("mark").textContent = t(page.marking ? "markIndicatorOn" : "markIndicator");
  byId("mark").setAttribute("aria-pressed", String(page.marking));
  byId("legend").hidden = !boxed;
  byId("stage").classList.toggle("marking", page.marking);
}

function highlight(ids) {
  for (const node of document.querySelectorAll("[data-tile]")) {
    node.classList.toggle("looked", ids.includes(Number(node.dataset.tile)));
  }
}

function pickOnPhoto(id) {
  if (page.marking) {
    page.marking = false;
    apply(model.moveTo(table(), id, "indicator"), "", id);
    draw();
    return;
  }
  page.focused = id;
  editor.open(id);
}

function askScore() {
  clearTimeout(scoreTimer);
  // An answer about the tiles that lay here before is worth nothing any more.
  scoring?.abort();
  scoreTimer = setTimeout(scoreNow, SCORE_DELAY_MS);
}

async function scoreNow() {
  scoring = new AbortController();
  const { signal } = scoring;
  let answer = null;
  try {
    answer = await score(desk.request(), signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof ApiError)) throw error;
    answer = { kind: "error", error };
  }
  if (signal.aborted) return;
  page.answer = answer;
  const jokers = page.answer.jokers ?? [];
  if (jokers.join() !== page.jokers.join()) {
    page.jokers = jokers;
    draw();
  }
  showAnswer();
  for (const listener of heard) listener(page.answer);
}

function showAnswer() {
  const root = byId("answer");
  reveal("unanswered");
  if (page.answer.kind === "error") {
    drawError(root, page.answer.error);
    return;
  }
  if (page.answer.kind === "waits" && coach.isPutAway()) {
    root.dataset.kind = "put_away";
    root.replaceChildren(h("p", { class: "verdict quiet-verdict" }, h("span", { class: "name" }, t("waitsPutAway"))));
    return;
  }
  drawAnswer(root, page.answer, {
    onwait: (code) => apply(model.add(table(), code, "drawn")),
    onwhy: (codes) => whyWaits(desk.request(), codes),
    oncandidate: (code) => {
      const id = table().hand.find((one) => table().tiles[one].code === code);
      if (id !== undefined) apply(model.moveTo(table(), id, "drawn"), "", id);
    },
  });
}

function setStatus(status) {
  page.status = status;
  drawStatus();
  sets.draw();
}

function drawStatus() {
  drawReadStatus(byId("photo-status"), page.status, { ...page, setOpen: sets.open() });
}

/**
 * Read a photo and put its tiles on the table, unless another is chosen meanwhile; a failure leaves
 * the table as it is.
 *
 * @param {function} getPhoto `getPhoto(signal)` answers the file
 * @param {boolean} again it lies here already, and what was changed on it stays
 */
async function openPhoto(getPhoto, sample = null, again = false) {
  reading?.abort();
  reading = new AbortController();
  const { signal } = reading;
  page.notes = [];
  sets.close();
  setStatus({ key: "reading" });
  byId("stage").classList.add("busy");
  try {
    const file = await getPhoto(signal);
    const shown = await showable(file);
    const found = await readPhoto(file, { name: file.name ?? "photo", preview: !shown, said: sets.said(), signal });
    if (signal.aborted) return;
    sets.ask(found, () => openPhoto(() => file, sample, true));
    (again ? takeAgain : takeReading)(found, shown ?? { url: found.photo.preview }, sample);
    sets.reached();
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    setStatus({ error });
  } finally {
    if (!signal.aborted) byId("stage").classList.remove("busy");
  }
}

function takeReading(found, shown, sample, turned = undefined) {
  if (page.photo) URL.revokeObjectURL(page.photo.url);
  byId("stage").classList.remove("empty", "busy");
  // Boxes are in pixels of the photo as the server read it.
  page.photo = { url: shown.url, width: found.photo.width, height: found.photo.height, name: found.photo.name };
  const before = page.sample === null ? indicatorCode() : null;
  const keeps = turned === undefined ? before : turned;
  page.sample = sample?.name ?? null;
  page.notes = found.notes;
  page.read = Object.fromEntries(found.tiles.map((tile) => [tile.id, tile.tile]));
  page.tileSet = found.tile_set;
  page.doubts = openDoubts(found);
  page.focused = null;
  page.marking = false;
  page.kept = 0;
  coach.newHand();
  page.asRead = withIndicator(model.tableFromReading(found), found, sample ? sample.indicator : keeps);
  history.reset(page.asRead);
  setStatus({ key: found.tiles.length ? "readDone" : "noTiles", values: { n: found.tiles.length } });
  drawSamples(byId("samples"), page.samples, page.sample, openSample);
  draw();
  askScore();
}

/** The photo is read as of another set: what somebody has changed on it stays, unless all was cleared. */
function takeAgain(found, shown, sample) {
  const { asRead, doubts } = page;
  const cleared = !Object.values(table().tiles).some((tile) => tile.box);
  const edited = cleared ? asRead : table();
  letGo(page.photo);
  takeReading(found, shown, sample, asRead.indicator === null ? null : asRead.tiles[asRead.indicator].code);
  const { table: next, kept } = carryOver(asRead, edited, page.asRead, [doubts, page.doubts]);
  page.kept = kept;
  drawStatus();
  apply(next, kept ? t("readKept", { n: kept }) : "");
}

const indicatorCode = () => (table().indicator === null ? null : table().tiles[table().indicator].code);

/**
 * The turned tile of a sample is known; between photos of one hand the chosen one stays, but a
 * sample's never passes to somebody's own photo.
 */
function withIndicator(next, found, code) {
  if (!code) return next;
  const lone = found.layout.indicator;
  if (lone === null || next.tiles[lone].code !== code) return model.setIndicator(next, code);
  const asked = page.doubts.findIndex((doubt) => doubt.code === "indicator_candidate");
  const moved = model.moveTo(next, lone, "indicator");
  return asked < 0 ? moved : model.settle(moved, asked);
}

const openSample = (sample) => openPhoto(async (signal) => {
  const photo = await getFile(sample.url, signal);
  return new File([photo], sample.name, { type: photo.type });
}, sample);

function clearPhoto() {
  coach.newHand();
  reading?.abort();
  byId("stage").classList.remove("busy");
  if (page.photo) URL.revokeObjectURL(page.photo.url);
  Object.assign(page, { photo: null, sample: null, doubts: [], notes: [], focused: null, marking: false });
  sets.close();
  byId("stage").classList.add("empty");
  byId("stage").replaceChildren(h("p", { class: "stage-text", "data-t": "dropHint" }, t("dropHint")));
  setStatus(null);
  drawSamples(byId("samples"), page.samples, null, openSample);
}

function layByHand() {
  clearPhoto();
  apply(model.emptyTable());
  editor.fill("hand");
}

/** Connect the desk's buttons and keys. */
export function connectDesk() {
  listen((file) => openPhoto(() => file));
  byId("by-hand").addEventListener("click", layByHand);
  byId("undo").addEventListener("click", () => step("undo"));
  byId("redo").addEventListener("click", () => step("redo"));
  byId("add").addEventListener("click", () => editor.fill("hand"));
  byId("sort").addEventListener("click", () => apply(model.sortHand(table())));
  byId("clear").addEventListener("click", () => {
    coach.newHand();
    apply(model.emptyTable());
  });
  byId("mark").addEventListener("click", () => {
    page.marking = !page.marking;
    draw();
  });
  byId("table").addEventListener("click", (event) => {
    const tile = event.target.closest("[data-tile]");
    const slot = event.target.closest("[data-slot]");
    if (slot) editor.fill(slot.dataset.slot);
    if (!tile) return;
    page.focused = Number(tile.dataset.tile);
    editor.open(page.focused);
  });
  byId("table").addEventListener("keydown", (event) => {
    const tile = event.target.closest("[data-tile]");
    if (tile && editor.key(event, Number(tile.dataset.tile))) event.preventDefault();
  });
  byId("picker").addEventListener("close", () => {
    byId("table").querySelector(`[data-tile="${page.focused}"]`)?.focus();
  });
  byId("picker").addEventListener("click", (event) => {
    if (event.target === event.currentTarget) event.currentTarget.close();
  });
  document.addEventListener("keydown", (event) => {
    const direction = undoKey(event);
    if (!direction || byId("view-score").hidden) return;
    event.preventDefault();
    step(direction);
  });
  addEventListener("resize", draw);
  onrules(askScore);
  coach.onputaway(() => page.answer && showAnswer());
}

/** Say everything anew, after the language has changed. */
export function drawDeskWords() {
  drawSamples(byId("samples"), page.samples, page.sample, openSample);
  drawStatus();
  sets.draw();
  draw();
  if (page.answer) showAnswer();
}

/** Lay the first sample, or nothing for those who lay their tiles themselves. */
export async function openDesk(samples, byHand) {
  page.samples = samples;
  drawDeskWords();
  if (samples.length && !byHand) await openSample(samples[0]);
  else byId("stage").classList.add("empty");
  if (page.answer === null) askScore();
}

export const sayStatus = setStatus;
