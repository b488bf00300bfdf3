// What the camera sees, drawn: the picture with its tiles, the state beside it.

import { isPutAway, onputaway, reveal, setHidden } from "./coach.js";
import { h, svg } from "./dom.js";
import { requestOf } from "./livedesk.js";
import { rollsView } from "./livesettle.js";
import { picture, withTiles } from "./tiles.js";
import { whyButton, whyDiscard, whyHelp, whyWait, whyWin } from "./whyview.js";
import { say, sayTiles, t, tileLabel, tileName } from "./words.js";

const SHOWN_DISCARDS = 5;
const SHOWN_EVENTS = 6;
const SHOWN_DOUBTS = 2;
const isKind = (code) => /^([1-9][mps]|[1-7]z)$/.test(code);

export { onputaway };

/** What a person has said about a tile, in words; "" for nothing. */
const saidOf = ({ corrected, placed, added }, { id }) => [
  corrected.includes(id) && t("liveCorrected"), added.includes(id) && t("liveAdded"),
  placed.includes(id) && !added.includes(id) && t("livePlaced"),
].filter(Boolean).join(", ");

/** A box that can be pressed; `name` is what one hears. */
function pressable(attributes, name, pick, ...inside) {
  return svg("g", {
    role: "button", tabindex: "0", "aria-label": name, onclick: pick,
    onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pick();
    },
    ...attributes,
  }, ...inside);
}

/** Outline the tiles where they lie, and faintly those said not to be there. */
export function outlines(session, frameWidth, onpick, onabsent) {
  const { state } = session;
  const { width, height, jokers } = state;
  const fontSize = (13 * width) / Math.max(frameWidth, 200);
  const box = (tile) => {
    const [x1, y1, x2, y2] = tile.box;
    const text = tileLabel(tile.tile) + (tile.doubtful ? "?" : "");
    const units = 0.35 + [...text].reduce((sum, c) => sum + (c > "\u00ff" ? 1 : 0.6), 0);
    const size = Math.max(Math.min(fontSize, (x2 - x1) / units), fontSize * 0.62);
    const top = Math.max(y1 - size * 1.25, 0);
    const mark = saidOf(session, tile);
    const name = `${tileName(tile.tile)}${jokers.includes(tile.tile) ? `, ${t("isJoker")}` : ""}${mark ? `, ${mark}` : ""}`;
    return pressable({
      class: `box ${tile.role}${tile.doubtful ? " doubtful" : ""}${mark ? " corrected" : ""}`,
      "data-tile": tile.id, "data-code": tile.tile,
    }, name, () => onpick(tile),
    svg("rect", { class: "frame", x: x1, y: y1, width: x2 - x1, height: y2 - y1, rx: size * 0.2 }),
    svg("rect", { class: "tag", x: x1, y: top, width: size * units, height: size * 1.25, rx: size * 0.2 }),
    svg("text", { x: x1 + size * 0.17, y: top + size, "font-size": size }, text));
  };
  const absent = (tile) => {
    const [x1, y1, x2, y2] = tile.box;
    return pressable({ class: "box absent", "data-absent": tile.id },
      t("liveAbsentTile", { tile: tileName(tile.tile) }), () => onabsent(tile),
      svg("rect", { class: "frame", x: x1, y: y1, width: x2 - x1, height: y2 - y1 }),
      svg("path", { class: "cross", d: `M${x1} ${y1}L${x2} ${y2}M${x2} ${y1}L${x1} ${y2}` }));
  };
  // Backs and the dice's neighbours are many; only what shows a face can be misread.
  const shown = state.tiles.filter((tile) => tile.tile !== "back");
  return svg("svg", {
    viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": t("liveTiles"),
  }, (state.absent ?? []).map(absent), shown.map(box));
}

function tileButton(tile, session, onpick) {
  const { state } = session;
  const joker = tile.role !== "indicator" && state.jokers.includes(tile.tile);
  const mine = saidOf(session, tile);
  return h("button", {
    type: "button", class: `tile-button${tile.doubtful ? " doubtful" : ""}${mine ? " corrected" : ""}`,
    "data-strip": tile.id, "data-code": tile.tile,
    "aria-label": [tileName(tile.tile), joker && t("isJoker"), tile.doubtful && t("uncertain"),
      mine].filter(Boolean).join(", "),
    onclick: () => onpick(tile),
  }, picture(tile.tile, { joker }));
}

const inOrder = (tiles) => [...tiles].sort((a, b) => a.x - b.x);

const group = (title, className, ...inside) =>
  h("div", { class: `group ${className}` }, h("h3", {}, title), h("div", { class: "row" }, inside));

/** The hand before the camera: concealed tiles, the drawn one, exposed sets, the turned tile; or why there is `none`. */
export function handView(session, { onpick, onindicator }, none) {
  const { state, named } = session;
  const mine = (role) => inOrder(state.tiles.filter((one) => one.seat === 0 && one.role === role && one.tile !== "back"));
  const hand = mine("hand");
  const row = (tiles) => tiles.map((tile) => tileButton(tile, session, onpick));
  const drawn = mine("drawn");
  const melds = mine("meld");
  const turned = named.indicator ?? state.turned ?? state.indicator;
  return [
    hand.length + drawn.length ? h("div", { class: "line live-hand" },
      group(t("handCount", { n: hand.length }), "hand", row(hand)),
      drawn.length ? group(t("myDrawn"), "drawn", row(drawn)) : null)
      : none,
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
export function tableView(session, { onpick, onroll, onplace }) {
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
      h("div", {}, h("dt", {}, t("openingRolls")), h("dd", {}, rollsView(session.rolls, onroll))),
      h("div", {}, h("dt", {}, t("wallLeft")), h("dd", {}, wall))),
    state.placement === null ? h("div", { class: "live-unplaced" }, h("p", { class: "muted" }, t("notPlaced")),
      h("button", { type: "button", class: "quiet", id: "live-place-now", onclick: onplace }, t("doubtPlace"))) : null,
    ...state.seats.map(seat), asideView(session, onpick),
  ];
}

/** Faces that belong to nobody, so that they can be put where they belong. */
function asideView(session, onpick) {
  const loose = inOrder(session.state.tiles.filter((one) => one.role === "loose" && isKind(one.tile)));
  if (!loose.length) return null;
  return h("div", { class: "live-seat", "data-aside": "" }, h("h3", {}, t("liveAside")),
    h("div", { class: "row" }, loose.map((one) => tileButton(one, session, onpick))));
}

function waitsView(waits, ask) {
  return h("div", { class: "live-waits" }, h("p", { class: "headline" }, t("waitsNow", { n: waits.length })),
    h("ul", {}, waits.map(({ tile, left, fan, title, title_en: english }) =>
      h("li", { "data-wait": tile }, picture(tile, { alt: tileName(tile) }),
        h("span", {}, h("b", {}, t("fanCount", { n: fan })), ` ${say({ zh: title, en: english || title })} · ${t("left", { n: left })}`),
        whyButton(t("whyWait", { tile: tileName(tile) }), () => whyWait(ask(), tile), { "data-why-wait": tile })))));
}

function discardsView(discards, ask) {
  return h("ol", { class: "discards" }, discards.slice(0, SHOWN_DISCARDS).map((one, n) =>
    h("li", { class: n === 0 ? "best" : "", "data-discard": one.tile }, picture(one.tile),
      h("div", {}, h("b", {}, t("discardTile", { tile: tileName(one.tile) })),
        h("p", { class: "why" }, withTiles(say(one.reason)))),
      whyButton(t("whyDiscard", { tile: tileName(one.tile) }), () => whyDiscard(ask(), one), { "data-why-discard": one.tile }))));
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
  // A warning helps as much as advice does.
  if (isPutAway()) {
    return [h("p", {}, t("putAway")),
      h("button", { type: "button", class: "quiet", onclick: reveal }, t("handIsOver")), away];
  }
  const { advice } = mine;
  if (!advice) return [...warnings, ...mine.problems.map((one) => h("p", {}, withTiles(say(one)))), away];
  const { standing } = advice;
  const ask = () => requestOf(session, 0);
  const wins = advice.wins_now || advice.win;
  return [
    ...warnings,
    advice.wins_now ? h("p", { class: "live-win" }, t("winsNow", { n: advice.win.fan })) : null,
    h("p", { class: "headline" }, withTiles(say(advice.headline)), " ",
      wins ? whyButton(t("whyWin"), () => whyWin(ask()), { "data-why-win": "" }) : null),
    standing?.waits.length ? waitsView(standing.waits, ask) : null,
    standing && !standing.ready && standing.helps.length ? h("div", {},
      h("p", {}, t("stepsAway", { k: standing.shanten, n: standing.left })),
      h("div", { class: "row" }, standing.helps.map(({ tile, left }) => h("button", {
        type: "button", class: "wait", "data-why-help": tile, onclick: () => whyHelp(ask(), tile),
        "aria-label": `${tileName(tile)}, ${t("left", { n: left })}. ${t("whyHelp", { tile: tileName(tile) })}`,
      }, picture(tile), h("small", { "aria-hidden": "true" }, `×${left}`))))) : null,
    advice.discards.length ? discardsView(advice.discards, ask) : null,
    away,
  ];
}

/** What can be done about a doubt that has no choices of its own. */
const DONE_ABOUT = {
  placement_guessed: "place", camera_moved: "place", joined_late: "hand", rules_disagree: "hand",
  rolls_missing: "roll", discard_unseen: "unseen", turned_unseen: "turned",
};
const ABOUT_WORDS = { place: "doubtPlace", hand: "doubtNewHand", roll: "doubtRoll", unseen: "doubtUnseen", turned: "doubtTurned" };
// Who does not remember may leave these as they are: the account goes on.
const LEFT = ["rolls_missing", "turned_unseen", "discard_unseen", "discard_gone", "joined_late", "hand_count"];
// The tiles of these are in question themselves; those of others lie beside what is.
const IN_QUESTION = ["rules_disagree"];

/** The `doubts` that a person should settle, each choice one tap away; many are folded. */
export function doubtsView(session, doubts, { onchoice, onpick, onplace, onnewhand, onleave, onroll, onunseen, onturned }) {
  const { state } = session;
  const byId = Object.fromEntries(state.tiles.map((one) => [one.id, one]));
  const quiet = (marks, run, ...inside) => h("button", { type: "button", class: "quiet", ...marks, onclick: run }, ...inside);
  const run = { place: onplace, hand: onnewhand, roll: () => onroll(null), unseen: onunseen, turned: onturned };
  const shown = doubts.map((doubt) => {
    const about = DONE_ABOUT[doubt.code];
    const one = doubt.tiles.length === 1 && !about ? byId[doubt.tiles[0]] : null;
    const asked = IN_QUESTION.includes(doubt.code) ? doubt.tiles.map((id) => byId[id]).filter(Boolean) : [];
    return h("div", { class: "doubt", "data-doubt": doubt.code },
      h("p", {}, sayTiles(doubt)),
      h("div", { class: "choices" },
        doubt.choices.map((choice) => quiet({ "data-value": choice.value }, () => onchoice(doubt, choice),
          ...(isKind(choice.value) || choice.value === "back"
            ? [picture(choice.value), h("span", {}, tileName(choice.value))] : [h("span", {}, sayTiles(choice))]))),
        asked.map((tile) => quiet({ "data-asked": tile.id, "aria-label": t("doubtTile", { tile: tileName(tile.tile) }) },
          () => onpick(tile), picture(tile.tile))),
        about ? quiet({ "data-about": about }, () => run[about](doubt), t(ABOUT_WORDS[about])) : null,
        one ? quiet({}, () => onpick(one), t("otherTile")) : null,
        LEFT.includes(doubt.code) ? quiet({ "data-leave": "" }, () => onleave(doubt), t("doubtLeave")) : null));
  });
  if (shown.length <= SHOWN_DOUBTS + 1) return shown;
  const rest = shown.slice(SHOWN_DOUBTS);
  return [...shown.slice(0, SHOWN_DOUBTS),
    h("details", {}, h("summary", {}, t("moreDoubts", { n: rest.length })), rest)];
}

export const eventsView = (events) => h("ol", { class: "live-events" },
  events.slice(-SHOWN_EVENTS).reverse().map((one) =>
    h("li", { class: one.doubtful ? "doubtful" : "" }, sayTiles(one), one.doubtful ? ` (${t("uncertain")})` : "")));
