// The teacher: every fan with a worked hand, drills without end, the words of the table.

import { ApiError, getExample, getExamples } from "./api.js";
import { fansView, readingView } from "./answerview.js";
import { desk } from "./desk.js";
import { drillsCard } from "./drillview.js";
import { byId, h } from "./dom.js";
import { TERMS } from "./glossary.js";
import { picture } from "./tiles.js";
import { goTo } from "./views.js";
import { currentLanguage, say, t, tileName } from "./words.js";

const PARTS = { fans: "learnFans", drills: "learnDrills", words: "learnWords" };
const GROUPS = { single: "groupSingle", combined: "groupCombined", gang: "groupGang" };
const state = { part: "fans", wanted: null, examples: null, error: null, seeds: {}, open: new Set() };
let root = null;

function partsView() {
  return h("nav", { class: "parts", "aria-label": t("learnTitle") }, Object.entries(PARTS).map(([part, key]) =>
    h("a", { href: `#learn/${part}`, "aria-current": part === state.part ? "page" : null }, t(key))));
}

async function loadExamples() {
  if (state.examples) return;
  try {
    state.examples = (await getExamples()).examples;
    state.error = null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    state.error = error;
  }
}

async function another(example) {
  const seed = (state.seeds[example.key] ?? 0) + 1;
  try {
    const next = await getExample(example.key, seed);
    state.seeds[example.key] = seed;
    state.examples = state.examples.map((one) => (one.key === next.key ? next : one));
    state.error = null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    state.error = error;
  }
  draw();
  byId(`fan-${example.key}`)?.querySelector("[data-another]")?.focus({ preventScroll: true });
}

function layOut(example) {
  desk.lay(example.hand);
  goTo("score");
}

function handView({ hand }) {
  return h("div", { class: "row turned-row" },
    h("span", { class: "muted" }, t("turnedIs")), picture(hand.indicator, { alt: tileName(hand.indicator) }),
    h("span", { class: "muted" }, t("jokersAre")),
    hand.jokers.map((code) => picture(code, { joker: true, alt: tileName(code) })));
}

function exampleBody(example) {
  return [
    h("p", { class: "muted", lang: currentLanguage() === "zh" ? null : "en" }, t("seedSays", { text: example.source })),
    handView(example), readingView(example.reading), fansView(example),
    Object.keys(example.options).length ? h("p", { class: "muted" }, t("exampleRule")) : null,
    h("div", { class: "sources" },
      h("button", { type: "button", class: "quiet", "data-another": "", onclick: () => another(example) }, t("anotherHand")),
      h("button", { type: "button", class: "quiet", "data-lay": "", onclick: () => layOut(example) }, t("layOnDesk"))),
  ];
}

function topicView(example) {
  const body = h("div", { class: "topic-body" });
  const fill = () => body.replaceChildren(...exampleBody(example).flat().filter(Boolean));
  const open = state.open.has(example.key);
  if (open) fill();
  return h("details", {
    class: "topic", id: `fan-${example.key}`, open,
    ontoggle: (event) => {
      if (event.target.open) {
        state.open.add(example.key);
        if (!body.hasChildNodes()) fill();
      } else state.open.delete(example.key);
    },
  }, h("summary", {},
    h("b", { lang: "zh-CN" }, example.zh),
    currentLanguage() === "en" && example.en ? h("span", { class: "gloss" }, example.en) : null,
    h("span", { class: "worth" }, t("fanCount", { n: example.fan }))), body);
}

function fansCard() {
  const list = state.examples ?? [];
  return h("section", { class: "card", "aria-labelledby": "fans-title" },
    h("h2", { id: "fans-title" }, t("fansTitle")), h("p", { class: "muted" }, t("fansHelp")),
    state.error ? h("p", { class: "notice", role: "alert" }, say(state.error)) : null,
    Object.entries(GROUPS).map(([group, key]) => [
      h("h3", {}, t(key)),
      h("div", { class: "topics" }, list.filter((one) => one.group === group).map(topicView)),
    ]));
}

function wordsCard() {
  return h("section", { class: "card", "aria-labelledby": "words-title" },
    h("h2", { id: "words-title" }, t("wordsTitle")),
    h("dl", { class: "terms" }, TERMS.map(([key, word, zh, en]) => h("div", {},
      h("dt", { lang: "zh-CN" }, word),
      h("dd", {}, say({ zh, en }), " ",
        key ? h("a", { href: `#learn/fans/${key}` }, t("seeExample")) : null)))));
}

function draw() {
  if (!root) return;
  const parts = { fans: fansCard, drills: drillsCard, words: wordsCard };
  root.replaceChildren(partsView(), parts[state.part]());
}

/** Draw the teacher; `address` is learn, learn/fans/zhuowu, learn/drills or learn/words. */
export async function show(node, address) {
  root = node;
  const [, part = "fans", key = null] = address.split("/");
  state.part = part in PARTS ? part : "fans";
  if (key) state.open.add(key);
  draw();
  if (state.part !== "fans") return;
  if (!state.examples) {
    await loadExamples();
    draw();
  }
  if (key) byId(`fan-${key}`)?.scrollIntoView({ block: "start" });
}
