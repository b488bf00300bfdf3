// The page: one table with its history, drawn anew after every change.

import { ApiError, getOptions, getSamples, readPhoto, score } from "./api.js";
import { drawAnswer, drawError } from "./answerview.js";
import { drawDesk } from "./deskview.js";
import { byId, h } from "./dom.js";
import { drawDoubts } from "./doubtview.js";
import { applyChoice, openDoubts } from "./doubts.js";
import { Editor, undoKey } from "./editor.js";
import { History } from "./history.js";
import { recall, remember } from "./memory.js";
import { drawPhoto, showable } from "./photoview.js";
import { circumstances, drawRules } from "./rulesview.js";
import { drawSamples, listen } from "./source.js";
import * as model from "./table.js";
import { currentLanguage, say, setLanguage, t } from "./words.js";

const SCORE_DELAY_MS = 120;

const history = new History(model.emptyTable());
const page = {
  photo: null, sample: null, doubts: [], notes: [], samples: [], about: null, options: {},
  jokers: [], answer: null, focused: null, marking: false, status: null,
};
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
}

function step(direction) {
  if (!history[direction]()) return;
  announce(t(direction === "undo" ? "undone" : "redone"));
  draw();
  askScore();
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

function drawWords() {
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  document.title = t("title");
  const dark = isDark();
  byId("theme").textContent = dark ? "☀" : "☾";
  byId("theme").setAttribute("aria-label", t(dark ? "themeLight" : "themeDark"));
  byId("theme").title = t(dark ? "themeLight" : "themeDark");
  byId("language").lang = currentLanguage() === "zh" ? "en" : "zh-CN";
  drawSamples(byId("samples"), page.samples, page.sample, openSample);
  if (page.about) drawOptions();
  drawStatus();
  draw();
  if (page.answer) showAnswer();
}

function drawOptions() {
  drawRules(byId("rules-body"), page.about, page.options, {
    onpreset: (name) => {
      setOptions(page.about.presets.find((preset) => preset.name === name).values);
    },
    onoption: (name, value) => setOptions({ ...page.options, [name]: value }),
  });
}

function setOptions(options) {
  page.options = { ...options };
  remember("options", page.options);
  drawOptions();
  askScore();
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
  scoreTimer = setTimeout(scoreNow, SCORE_DELAY_MS);
}

async function scoreNow() {
  scoring?.abort();
  scoring = new AbortController();
  const { signal } = scoring;
  try {
    page.answer = await score(model.scoreRequest(table(), page.options), signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof ApiError)) throw error;
    page.answer = { kind: "error", error };
  }
  if (signal.aborted) return;
  const jokers = page.answer.jokers ?? [];
  if (jokers.join() !== page.jokers.join()) {
    page.jokers = jokers;
    draw();
  }
  showAnswer();
}

function showAnswer() {
  const root = byId("answer");
  reveal("unanswered");
  if (page.answer.kind === "error") {
    drawError(root, page.answer.error);
    return;
  }
  drawAnswer(root, page.answer, {
    onwait: (code) => apply(model.add(table(), code, "drawn")),
    oncandidate: (code) => {
      const id = table().hand.find((one) => table().tiles[one].code === code);
      if (id !== undefined) apply(model.moveTo(table(), id, "drawn"), "", id);
    },
  });
}

function setStatus(status) {
  page.status = status;
  drawStatus();
}

function drawStatus() {
  const node = byId("photo-status");
  const { status } = page;
  node.classList.toggle("wrong", Boolean(status?.error));
  node.replaceChildren(...(status === null ? []
    : status.error ? [say(status.error)]
      : [t(status.key, status.values), ...page.notes.map((note) => h("span", { class: "note" }, say(note)))]));
}

/** Read a photo and put its tiles on the table; a failure leaves the table as it is. */
async function openPhoto(file, sample = null) {
  reading?.abort();
  reading = new AbortController();
  const { signal } = reading;
  page.notes = [];
  setStatus({ key: "reading" });
  byId("stage").classList.add("busy");
  try {
    const shown = await showable(file);
    const found = await readPhoto(file, { name: file.name ?? "photo", preview: !shown, signal });
    if (signal.aborted) return;
    takeReading(found, shown ?? { url: found.photo.preview }, sample);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof ApiError)) throw error;
    setStatus({ error });
  } finally {
    if (!signal.aborted) byId("stage").classList.remove("busy");
  }
}

function takeReading(found, shown, sample) {
  if (page.photo) URL.revokeObjectURL(page.photo.url);
  byId("stage").classList.remove("empty");
  // Boxes are in pixels of the photo as the server read it.
  page.photo = { url: shown.url, width: found.photo.width, height: found.photo.height };
  page.sample = sample?.name ?? null;
  page.notes = found.notes;
  page.doubts = openDoubts(found);
  page.focused = null;
  page.marking = false;
  history.reset(withIndicator(model.tableFromReading(found), found, sample));
  setStatus({ key: found.tiles.length ? "readDone" : "noTiles", values: { n: found.tiles.length } });
  drawSamples(byId("samples"), page.samples, page.sample, openSample);
  draw();
  askScore();
}

/** The turned tile of a sample is known; between photos of one hand the chosen one stays. */
function withIndicator(next, found, sample) {
  const before = table().indicator === null ? null : table().tiles[table().indicator].code;
  const code = sample ? sample.indicator : before;
  if (!code) return next;
  const lone = found.layout.indicator;
  if (lone === null || next.tiles[lone].code !== code) return model.setIndicator(next, code);
  const asked = page.doubts.findIndex((doubt) => doubt.code === "indicator_candidate");
  const moved = model.moveTo(next, lone, "indicator");
  return asked < 0 ? moved : model.settle(moved, asked);
}

async function openSample(sample) {
  const answer = await fetch(sample.url);
  const file = new File([await answer.blob()], sample.name, { type: answer.headers.get("Content-Type") });
  await openPhoto(file, sample);
}

function layByHand() {
  reading?.abort();
  byId("stage").classList.remove("busy");
  if (page.photo) URL.revokeObjectURL(page.photo.url);
  Object.assign(page, { photo: null, sample: null, doubts: [], notes: [], focused: null, marking: false });
  byId("stage").classList.add("empty");
  byId("stage").replaceChildren(h("p", { class: "stage-text", "data-t": "dropHint" }, t("dropHint")));
  setStatus(null);
  apply(model.emptyTable());
  drawSamples(byId("samples"), page.samples, null, openSample);
  editor.fill("hand");
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function connect() {
  listen((file) => openPhoto(file));
  byId("by-hand").addEventListener("click", layByHand);
  byId("undo").addEventListener("click", () => step("undo"));
  byId("redo").addEventListener("click", () => step("redo"));
  byId("add").addEventListener("click", () => editor.fill("hand"));
  byId("sort").addEventListener("click", () => apply(model.sortHand(table())));
  byId("clear").addEventListener("click", () => apply(model.emptyTable()));
  byId("mark").addEventListener("click", () => {
    page.marking = !page.marking;
    draw();
  });
  byId("language").addEventListener("click", () => {
    setLanguage(currentLanguage() === "zh" ? "en" : "zh");
    remember("language", currentLanguage());
    drawWords();
  });
  byId("theme").addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    remember("theme", theme);
    drawWords();
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
    if (!direction) return;
    event.preventDefault();
    step(direction);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawWords);
  addEventListener("resize", draw);
}

/** Whether a remembered option value is one the rules still take. */
function allowed(about, name, value) {
  const { values, least } = about.options.find((option) => option.name === name);
  if (values.length) return values.some((one) => one.value === value);
  return Number.isInteger(value) && value >= least;
}

async function start() {
  setLanguage(recall("language", document.documentElement.dataset.startLanguage));
  connect();
  drawWords();
  setStatus({ key: "starting" });
  try {
    const [about, { samples }] = await Promise.all([getOptions(), getSamples()]);
    page.about = about;
    page.samples = samples;
    const saved = recall("options", {});
    page.options = Object.fromEntries(Object.entries(about.start)
      .map(([name, value]) => [name, allowed(about, name, saved[name]) ? saved[name] : value]));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    reveal("starting");
    setStatus({ error });
    return;
  }
  setStatus(null);
  drawWords();
  reveal("starting");
  // The address with #by-hand is for those who always lay their tiles themselves.
  if (page.samples.length && location.hash !== "#by-hand") await openSample(page.samples[0]);
  else byId("stage").classList.add("empty");
  if (page.answer === null) askScore();
}

start();
