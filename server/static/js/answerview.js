// The answer: a score with its whole reason, the waits, the candidates, or why it is no win.

import { h } from "./dom.js";
import { picture } from "./tiles.js";
import { currentLanguage, say, t, tileName } from "./words.js";

const FORMS = {
  run: "run", triplet: "triplet", pair: "pair",
  pong: "pong", gang_open: "gang_open", gang_concealed: "gang_concealed",
};

/** A hand's joined name; English readers get the names behind it as well. */
function titleView(title) {
  return [h("span", { class: "name", lang: "zh-CN" }, title.zh),
    currentLanguage() === "en" && title.en ? h("span", { class: "gloss" }, title.en) : null];
}

export const titleText = (title) => (currentLanguage() === "en" ? `${title.zh} ${title.en}` : title.zh);

function head(big, title, className = "") {
  return h("p", { class: `verdict ${className}` },
    big === null ? null : h("strong", { class: "big" }, big),
    typeof title === "string" ? h("span", { class: "name" }, title) : titleView(title));
}

function placedTile(placed) {
  const { tile, stands_for: stands, joker, drawn } = placed;
  const other = joker && stands !== tile;
  const words = [tileName(tile), joker && t("isJoker"), other && t("standsFor", { tile: tileName(stands) }),
    drawn && t("drawnMark")].filter(Boolean).join(", ");
  return h("span", { class: `placed${drawn ? " is-drawn" : ""}`, role: "img", "aria-label": words },
    picture(tile, { joker }),
    other ? h("small", {}, t("standsFor", { tile: tileName(stands) })) : null,
    drawn ? h("small", { class: "drawn-mark" }, t("drawnMark")) : null);
}

export function readingView(groups) {
  return h("div", { class: "reading" }, h("h3", {}, t("groups")),
    h("div", { class: "groups" }, groups.map((group) =>
      h("figure", { class: "set" },
        h("figcaption", {}, t(FORMS[group.form])),
        h("div", { class: "row" }, group.tiles.map(placedTile))))));
}

export function fansView(answer) {
  return h("div", { class: "fans" }, h("h3", {}, t("how")),
    h("ul", {}, answer.fans.map((fan) =>
      h("li", {},
        h("b", { class: "fan-name" }, currentLanguage() === "zh" ? fan.zh : `${fan.zh} ${fan.en}`),
        h("span", { class: "factor" }, t(fan.adds ? "plus" : "times", { n: fan.number })),
        h("span", { class: "why" }, say(fan.sentence))))),
    answer.arithmetic ? h("p", { class: "sum" }, answer.arithmetic) : null);
}

export function reasonsView(reasons, title = t("whyNot")) {
  if (!reasons.length) return null;
  return h("div", { class: "reasons" }, h("h3", {}, title),
    h("ul", {}, reasons.map((reason) => h("li", {}, say(reason)))));
}

function whole(answer) {
  return [
    answer.reading?.length ? readingView(answer.reading) : null,
    answer.fans?.length ? fansView(answer) : null,
    answer.also?.length
      ? h("p", { class: "muted" }, `${t("alsoCalled")}: ${answer.also.map((names) => names.join(" ")).join(" · ")}`) : null,
  ];
}

const VIEWS = {
  empty: () => [head(null, t("empty"), "quiet-verdict"), h("p", {}, t("emptyWhy"))],

  impossible: (answer) =>
    [head(null, t("impossible"), "quiet-verdict"), reasonsView(answer.reasons)],

  win: (answer) => [
    head(t("fanCount", { n: answer.fan }), answer.title, "won"), ...whole(answer),
  ],

  no_win: (answer) => [
    head(null, t("noWin"), "lost"), reasonsView(answer.reasons), ...whole(answer),
  ],

  waits: (answer, { onwait, onwhy }) => {
    if (!answer.waits.length) {
      return [head(null, t("waitsNone"), "lost"), h("p", {}, t("waitsNoneWhy"))];
    }
    const any = answer.waits.length >= 30;
    const byFan = Map.groupBy
      ? Map.groupBy(answer.waits, (wait) => wait.fan)
      : answer.waits.reduce((m, w) => m.set(w.fan, [...(m.get(w.fan) ?? []), w]), new Map());
    const rows = [...byFan].sort(([a], [b]) => b - a).map(([fan, waits]) =>
      h("div", { class: "wait-row" },
        h("h3", {}, h("strong", {}, t("fanCount", { n: fan })), " ",
          h("span", {}, [...new Set(waits.map((wait) => titleText(wait.title)))].join(" · ")),
          onwhy ? h("button", {
            type: "button", class: "quiet why-button", "data-why-waits": waits[0].tile,
            "aria-label": t("whyWait", { tile: waits.map((wait) => tileName(wait.tile)).join(" / ") }),
            onclick: () => onwhy(waits.map((wait) => wait.tile)),
          }, t("why")) : null),
        h("div", { class: "row" }, waits.map((wait) =>
          h("button", {
            type: "button", class: "wait", "data-wait": wait.tile,
            "aria-label": `${tileName(wait.tile)}, ${t("fanCount", { n: fan })}, ${t("left", { n: wait.left })}`,
            onclick: () => onwait(wait.tile),
          }, picture(wait.tile, { joker: answer.jokers.includes(wait.tile) }),
          h("small", { "aria-hidden": "true" }, `×${wait.left}`))))));
    const title = any ? t("waitsAny") : t("waitsTitle", { n: answer.waits.length });
    return [head(null, title, "won"), ...rows, h("p", { class: "muted" }, t("leftHint"))];
  },

  candidates: (answer, { oncandidate }) => {
    const row = h("div", { class: "row candidates" }, answer.candidates.map((one) => {
      const worth = one.win ? t("fanCount", { n: one.fan }) : t("noWin");
      return h("button", {
        type: "button", class: `candidate${one.win ? " wins" : ""}`, "data-candidate": one.tile,
        "aria-label": `${tileName(one.tile)}: ${worth}`, onclick: () => oncandidate(one.tile),
      }, picture(one.tile, { joker: answer.jokers.includes(one.tile) }),
      h("small", { "aria-hidden": "true" }, one.win ? worth : "—"));
    }));
    if (answer.candidates.some((one) => one.win)) {
      return [head(null, t("candidatesTitle"), "quiet-verdict"), h("p", {}, t("candidatesWhy")), row];
    }
    return [
      head(null, t("noWin"), "lost"), h("p", {}, t("noneWins")), reasonsView(answer.reasons),
      h("h3", {}, t("tellDrawn")), row,
    ];
  },
};

/** Draw an answer of /api/score into `root`. */
export function drawAnswer(root, answer, handlers) {
  root.dataset.kind = answer.kind;
  const warnings = answer.warnings.map((one) => h("p", { class: "notice" }, say(one)));
  root.replaceChildren(...[...warnings, ...VIEWS[answer.kind](answer, handlers)].flat().filter(Boolean));
}

export function drawError(root, error) {
  root.dataset.kind = "error";
  root.replaceChildren(h("p", { class: "notice", role: "alert" }, say(error)));
}
