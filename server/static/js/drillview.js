// Drills: a question, its answer explained on tiles, and a level that follows how well one does.

import { newestOnly, notTwice } from "./answers.js";
import { ApiError, getDrill, getDrillLevels } from "./api.js";
import { h } from "./dom.js";
import { chooseKind, levelAfter, Progress } from "./progress.js";
import { picture, withTiles } from "./tiles.js";
import { say, t, tileName } from "./words.js";

const LARGEST_SEED = 1_000_000_000;
const LEVELS = [1, 2, 3];
const progress = new Progress();
const state = {
  drill: null, level: 1, chosen: new Set(), checked: false, error: null, moved: null, kinds: null, number: 0,
  seed: Math.floor(Math.random() * LARGEST_SEED),
};
let card = null;
const asked = newestOnly();

async function fetchDrill() {
  const isNewest = asked();
  try {
    state.kinds ??= Object.fromEntries((await getDrillLevels()).levels.map(({ level, kinds }) => [level, kinds]));
    const { level } = progress;
    const kind = chooseKind(state.kinds[level], progress.ofKinds(level), Math.random(), state.drill?.kind);
    const drill = await getDrill({ seed: state.seed, level, number: state.number++, kind });
    if (isNewest()) Object.assign(state, { drill, level, chosen: new Set(), checked: false, error: null });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isNewest()) state.error = error;
  }
  return isNewest();
}

async function next() {
  if (!await fetchDrill()) return;
  draw();
  card.querySelector("[data-choice]")?.focus({ preventScroll: true });
}

const following = notTwice(next);

function check() {
  const given = [...state.chosen].sort().join("");
  // The level it was asked at: another may have been chosen since.
  const { level } = state;
  progress.add(level, state.drill.kind, given === state.drill.answer);
  state.checked = true;
  state.moved = null;
  if (progress.follows && level === progress.level) {
    const after = levelAfter(level, progress.recent(level));
    if (after !== level) {
      state.moved = after > level ? "levelUp" : "levelDown";
      progress.setLevel(after);
    }
  }
  draw();
  card.querySelector("[data-next]").focus({ preventScroll: true });
}

function choose(key) {
  if (state.checked) return;
  if (!state.drill.several) {
    state.chosen = new Set([key]);
    check();
    return;
  }
  if (!state.chosen.delete(key)) state.chosen.add(key);
  draw();
  card.querySelector(`[data-choice="${key}"]`).focus({ preventScroll: true });
}

// The hand is shown as tiles; what is left of the sentence is the question itself.
const HAND_WORDS = [/^翻出[^。]*。手牌[^。]*。/, /^\S+ is turned \([^)]*\)\. In hand [^.]*\. /];

function askedView({ question, shown }) {
  const text = say(question);
  const [hand] = (shown.concealed && HAND_WORDS.map((words) => text.match(words)).find(Boolean)) || [""];
  return h("p", { class: "asked" }, hand ? h("span", { class: "unseen" }, withTiles(hand)) : null,
    withTiles(text.slice(hand.length)));
}

function drawnLabel({ flags, self_draw: own }) {
  const special = Object.keys(flags).filter((name) => flags[name]).map((name) => t(name));
  return [t(own === false ? "discardedTile" : "drawn"), ...special].join(" · ");
}

/** The tiles a question is about, as they lie on the table. */
function shownView(shown) {
  if (shown.dice) {
    return h("div", { class: "drill-dice" }, shown.dice.map((dice) =>
      h("span", { class: "row" }, dice.map((points) => picture(`die${points}`, { alt: String(points) })))));
  }
  if (!shown.concealed) return null;
  const tile = (code) => picture(code, { joker: shown.jokers.includes(code) });
  const group = (name, ...tiles) => h("figure", { class: "set" },
    h("figcaption", {}, name), h("div", { class: "row" }, tiles));
  return h("div", { class: "groups", "aria-hidden": "true" },
    group(t("indicator"), picture(shown.indicator)),
    group(t("hand"), shown.concealed.map(tile)),
    shown.melds.map((meld) => group(t(meld.kind), Array(meld.kind === "pong" ? 3 : 4).fill(meld.tile).map(tile))),
    shown.drawn ? group(drawnLabel(shown), tile(shown.drawn)) : null,
    shown.discarded ? group(t("discardedTile"), tile(shown.discarded)) : null);
}

function choiceView(choice) {
  const right = state.drill.answer.includes(choice.key);
  const chosen = state.chosen.has(choice.key);
  const mark = !state.checked ? "" : right ? "right" : chosen ? "wrong" : "";
  return h("li", {}, h("button", {
    type: "button", class: `quiet choice ${mark}`, "data-choice": choice.key,
    "aria-pressed": String(chosen), disabled: state.checked, onclick: () => choose(choice.key),
  }, h("b", {}, `${choice.key}) `), withTiles(say(choice)),
  mark ? h("span", { class: "sign" }, mark === "right" ? " ✓" : " ✗") : null));
}

function verdictView() {
  if (!state.checked) {
    return state.drill.several
      ? [h("p", { class: "muted" }, t("chooseAll")), h("button", {
        type: "button", class: "button primary", "data-check": "", disabled: state.chosen.size === 0, onclick: check,
      }, t("check"))] : null;
  }
  const { drill } = state;
  const right = [...state.chosen].sort().join("") === drill.answer;
  const lines = say(drill.explanation).split("\n");
  return [
    h("p", { class: `drill-verdict ${right ? "won" : "lost"}` },
      right ? t("rightAnswer") : t("wrongAnswer", { answer: [...drill.answer].join("、") })),
    h("div", { class: "explained" }, lines.map((line) => h("p", {}, withTiles(line)))),
    state.moved ? h("p", { class: "entered" }, t(state.moved, { n: progress.level })) : null,
    h("button", { type: "button", class: "button primary", "data-next": "", onclick: following }, t("next")),
  ];
}

function levelView() {
  return h("div", { class: "levels" },
    h("div", { class: "choices", role: "group", "aria-label": t("drillsTitle") }, LEVELS.map((level) => h("button", {
      type: "button", class: "quiet", "data-level": level, "aria-pressed": String(level === progress.level),
      onclick: async () => {
        progress.setLevel(level);
        await next();
      },
    }, t("level", { n: level }), " ", h("small", { class: "muted" }, t(`level${level}`))))),
    h("label", { class: "check" }, h("input", {
      type: "checkbox", checked: progress.follows, onchange: (event) => progress.setFollows(event.target.checked),
    }), t("follow")));
}

function recordView() {
  const { asked, right } = progress.total(progress.level);
  if (!asked) return null;
  const streak = progress.streak > 1 ? ` · ${t("streakNow", { n: progress.streak })}` : "";
  return h("p", { class: "muted", "data-record": "" }, t("record", { n: asked, right }) + streak);
}

function draw() {
  if (!card) return;
  const { drill } = state;
  const parts = [h("h2", { id: "drills-title" }, t("drillsTitle")), levelView(), recordView()];
  if (state.error) parts.push(h("p", { class: "notice", role: "alert" }, say(state.error)));
  if (drill) {
    parts.push(
      h("div", { class: "question", "data-kind": drill.kind },
        h("h3", {}, t(`kind_${drill.kind}`)), shownView(drill.shown),
        askedView(drill)),
      h("ul", { class: "drill-choices" }, drill.choices.map(choiceView)),
      h("div", { "aria-live": "polite", class: "drill-answer" }, verdictView()));
  }
  card.replaceChildren(...parts.flat().filter(Boolean));
}

/** The card of drills. */
export function drillsCard() {
  card = h("section", { class: "card drills", "aria-labelledby": "drills-title" });
  if (!state.drill) fetchDrill().then(draw);
  draw();
  return card;
}
