// What the camera sees, drawn: the picture with its tiles, the state beside it.

import { isPutAway, onputaway, reveal, setHidden } from "./coach.js";
import { h, svg } from "./dom.js";
import { picture, withTiles } from "./tiles.js";
import { say, sayTiles, t, tileLabel, tileName } from "./words.js";

const SHOWN_DISCARDS = 5;
const SHOWN_EVENTS = 6;
const isKind = (code) => /^([1-9][mps]|[1-7]z)$/.test(code);

export { onputaway };

/** Outline the tiles where they lie. */
export function outlines(session, frameWidth, onpick) {
  const { state, corrected } = session;
  const { width, height, jokers } = state;
  const fontSize = (13 * width) / Math.max(frameWidth, 200);
  const box = (tile) => {
    const [x1, y1, x2, y2] = tile.box;
    const text = tileLabel(tile.tile) + (tile.doubtful ? "?" : "");
    const units = 0.35 + [...text].reduce((sum, c) => sum + (c > "\u00ff" ? 1 : 0.6), 0);
    const size = Math.max(Math.min(fontSize, (x2 - x1) / units), fontSize * 0.62);
    const top = Math.max(y1 - size * 1.25, 0);
    const pick = () => onpick(tile);
    const mark = corrected.includes(tile.id) ? `, ${t("liveCorrected")}` : "";
    return svg("g", {
      class: `box ${tile.role}${tile.doubtful ? " doubtful" : ""}${mark ? " corrected" : ""}`,
      role: "button", tabindex: "0", "data-tile": tile.id, "data-code": tile.tile,
      "aria-label": `${tileName(tile.tile)}${jokers.includes(tile.tile) ? `, ${t("isJoker")}` : ""}${mark}`,
      onclick: pick,
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        pick();
      },
    },
    svg("rect", { class: "frame", x: x1, y: y1, width: x2 - x1, height: y2 - y1, rx: size * 0.2 }),
    svg("rect", { class: "tag", x: x1, y: top, width: size * units, height: size * 1.25, rx: size * 0.2 }),
    svg("text", { x: x1 + size * 0.17, y: top + size, "font-size": size }, text));
  };
  // Backs and the dice's neighbours are many; only what shows a face can be misread.
  const shown = state.tiles.filter((tile) => tile.tile !== "back");
  return svg("svg", {
    viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": t("liveTiles"),
  }, shown.map(box));
}

function tileButton(tile, { state, corrected }, onpick) {
  const joker = tile.role !== "indicator" && state.jokers.includes(tile.tile);
  const mine = corrected.includes(tile.id);
  return h("button", {
    type: "button", class: `tile-button${tile.doubtful ? " doubtful" : ""}${mine ? " corrected" : ""}`,
    "data-strip": tile.id, "data-code": tile.tile,
    "aria-label": [tileName(tile.tile), joker && t("isJoker"), tile.doubtful && t("uncertain"),
      mine && t("liveCorrected")].filter(Boolean).join(", "),
    onclick: () => onpick(tile),
  }, picture(tile.tile, { joker }));
}

const inOrder = (tiles) => [...tiles].sort((a, b) => a.x - b.x);

const group = (title, className, ...inside) =>
  h("div", { class: `group ${className}` }, h("h3", {}, title), h("div", { class: "row" }, inside));

/** The hand before the camera: concealed tiles, the drawn one, exposed sets, the turned tile. */
export function handView(session, { onpick, onindicator }) {
  const { state, named } = session;
  const mine = (role) => inOrder(state.tiles.filter((one) => one.seat === 0 && one.role === role && one.tile !== "back"));
  const hand = mine("hand");
  const row = (tiles) => tiles.map((tile) => tileButton(tile, session, onpick));
  const drawn = mine("drawn");
  const melds = mine("meld");
  const turned = named.indicator ?? state.indicator;
  return [
    hand.length + drawn.length ? h("div", { class: "line live-hand" },
      group(t("handCount", { n: hand.length }), "hand", row(hand)),
      drawn.length ? group(t("myDrawn"), "drawn", row(drawn)) : null)
      : h("p", { class: "muted" }, t("noHand")),
    h("div", { class: "line" },
      melds.length ? group(t("exposed"), "melds", row(melds)) : null,
      group(t("indicator"), "indicator", h("button", {
        type: "button", class: turned ? "tile-button" : "quiet", "data-turned": turned ?? "",
        "aria-label": `${t("indicator")}: ${turned ? tileName(turned) : t("indicatorNone")}`, onclick: onindicator,
      }, turned ? picture(turned) : t("indicatorNone"))),
      state.jokers.length ? group(t("jokersAre"), "jokers",
        state.jokers.map((code) => picture(code, { joker: true, alt: tileName(code) }))) : null),
  ];
}

/** Everybody's tiles, the dice, what is left of the wall. */
export function tableView(session, onpick) {
  const { state } = session;
  const left = state.round?.live_left;
  const wall = left !== undefined && left !== null ? t("wallTiles", { n: left })
    : state.wall_backs ? t("wallSeen", { n: state.wall_backs }) : t("noneSeen");
  const dice = state.dice.length
    ? h("span", { class: "row live-dice" }, state.dice.map((die) => picture(die, { alt: tileName(die) })))
    : t("noneSeen");
  const seat = ({ seat: number, hidden, pond }) => {
    const of = (role) => state.tiles.filter((one) => one.seat === number && one.role === role && one.tile !== "back");
    const discards = of("pond");
    const melds = number === 0 ? [] : inOrder(of("meld"));
    if (!discards.length && !melds.length && !hidden) return null;
    // The order of discarding is the server's; each of its tiles is looked up once.
    const rest = [...discards];
    const ordered = pond.map((code) => rest.splice(rest.findIndex((one) => one.tile === code), 1)[0]).filter(Boolean);
    return h("div", { class: "live-seat", "data-seat": number },
      h("h3", {}, t(`seat${number}`), hidden ? h("small", { class: "muted" }, ` ${t("liveHidden", { n: hidden })}`) : null),
      melds.length ? h("div", { class: "row" }, melds.map((one) => tileButton(one, session, onpick))) : null,
      ordered.length ? h("div", { class: "row", "aria-label": t("pond"), role: "group" },
        ordered.map((one) => tileButton(one, session, onpick))) : null);
  };
  return [
    h("dl", { class: "live-facts" },
      h("div", {}, h("dt", {}, t("dice")), h("dd", {}, dice)),
      h("div", {}, h("dt", {}, t("wallLeft")), h("dd", {}, wall))),
    ...state.seats.map(seat),
  ];
}

function waitsView(waits) {
  return h("div", { class: "live-waits" }, h("p", { class: "headline" }, t("waitsNow", { n: waits.length })),
    h("ul", {}, waits.map(({ tile, left, fan, title, title_en: english }) =>
      h("li", { "data-wait": tile }, picture(tile, { alt: tileName(tile) }),
        h("span", {}, h("b", {}, t("fanCount", { n: fan })), ` ${say({ zh: title, en: english || title })} · ${t("left", { n: left })}`)))));
}

function discardsView(discards) {
  return h("ol", { class: "discards" }, discards.slice(0, SHOWN_DISCARDS).map((one, n) =>
    h("li", { class: n === 0 ? "best" : "", "data-discard": one.tile }, picture(one.tile),
      h("div", {}, h("b", {}, t("discardTile", { tile: tileName(one.tile) })),
        h("p", { class: "why" }, withTiles(say(one.reason)))))));
}

const warning = (reason) => h("p", { class: "notice", "data-warning": reason.code }, withTiles(say(reason)));

/** The waits, the best discards and the warnings; put away during play when so wished. */
export function adviceView(session, connected) {
  const { state } = session;
  if (!connected || state.stale) return [h("p", { class: "muted", "data-withheld": "" }, t("liveNoAdvice"))];
  const mine = state.analysis.find((one) => one.seat === 0);
  const away = h("label", { class: "check" }, h("input", {
    type: "checkbox", id: "live-hide", checked: isPutAway(), onchange: (event) => setHidden(event.target.checked),
  }), t("hideAdvice"));
  if (!mine) return [h("p", { class: "muted" }, t("noHand")), away];
  const warnings = mine.warnings.map(warning);
  if (isPutAway()) {
    return [...warnings, h("p", {}, t("putAway")),
      h("button", { type: "button", class: "quiet", onclick: reveal }, t("handIsOver")), away];
  }
  const { advice } = mine;
  if (!advice) return [...warnings, ...mine.problems.map((one) => h("p", {}, withTiles(say(one)))), away];
  const { standing } = advice;
  return [
    ...warnings,
    advice.wins_now ? h("p", { class: "live-win" }, t("winsNow", { n: advice.win.fan })) : null,
    h("p", { class: "headline" }, withTiles(say(advice.headline))),
    standing?.waits.length ? waitsView(standing.waits) : null,
    standing && !standing.ready && standing.helps.length ? h("div", {},
      h("p", {}, t("stepsAway", { k: standing.shanten, n: standing.left })),
      h("div", { class: "row" }, standing.helps.map(({ tile, left }) => h("span", {
        class: "wait", role: "img", "aria-label": `${tileName(tile)}, ${t("left", { n: left })}`,
      }, picture(tile), h("small", { "aria-hidden": "true" }, `×${left}`))))) : null,
    advice.discards.length ? discardsView(advice.discards) : null,
    away,
  ];
}

/** What a person should settle, each choice one tap away. */
export function doubtsView(session, { onchoice, onpick }) {
  const { state } = session;
  const byId = Object.fromEntries(state.tiles.map((one) => [one.id, one]));
  return state.doubts.map((doubt) => {
    const one = doubt.tiles.length === 1 ? byId[doubt.tiles[0]] : null;
    return h("div", { class: "doubt", "data-doubt": doubt.code },
      h("p", {}, sayTiles(doubt)),
      h("div", { class: "choices" },
        doubt.choices.map((choice) => h("button", {
          type: "button", class: "quiet", "data-value": choice.value, onclick: () => onchoice(doubt, choice),
        }, isKind(choice.value) || choice.value === "back"
          ? [picture(choice.value), h("span", {}, tileName(choice.value))] : h("span", {}, sayTiles(choice)))),
        one ? h("button", { type: "button", class: "quiet", onclick: () => onpick(one) }, t("otherTile")) : null));
  });
}

export const eventsView = (events) => h("ol", { class: "live-events" },
  events.slice(-SHOWN_EVENTS).reverse().map((one) =>
    h("li", { class: one.doubtful ? "doubtful" : "" }, sayTiles(one), one.doubtful ? ` (${t("uncertain")})` : "")));
