// The table seen from above: four walls of seventeen stacks, seats, dice, the break, the turned tile.

import { svg } from "./dom.js";
import { pictureOf } from "./tiles.js";
import { t } from "./words.js";

const MIDDLE = 200;
const STACKS = 17;
const WIDTH = 13;
const DEPTH = 20;
const WALL = 126;
const LABEL = 162;
const NOTE = 99;

/** The middle of a place: `along` to the builder's right, `out` towards the builder; at 0 one sits below. */
function spot(at, along, out) {
  let [x, y] = [along, out];
  for (let turn = 0; turn < at; turn++) [x, y] = [y, -x];
  return [MIDDLE + x, MIDDLE + y];
}

const alongOf = (stack) => (stack - 1 - (STACKS - 1) / 2) * WIDTH;

function box(at, along, out, width, depth, attributes) {
  const [x, y] = spot(at, along, out);
  const [w, d] = at % 2 ? [depth, width] : [width, depth];
  return svg("rect", { x: x - w / 2, y: y - d / 2, width: w, height: d, ...attributes });
}

function words(at, along, out, text, attributes) {
  const [x, y] = spot(at, along, out);
  return svg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", ...attributes }, text);
}

/** Which stacks are counted: from the second roller's left to the break, and back to the turned tile. */
function marks(guide) {
  const found = new Map();
  if (!guide?.break) return found;
  const number = ({ owner, stack }) => STACKS * owner + stack - 1;
  const end = number(guide.break);
  for (let n = 0; n < guide.count; n++) {
    const one = (STACKS * guide.second_roller + n) % (4 * STACKS);
    found.set(one, { mark: "counted", text: n + 1 });
  }
  found.set(end, { mark: "break", text: guide.count });
  if (guide.indicator) {
    const turned = number(guide.indicator);
    const back = (end - turned + 4 * STACKS) % (4 * STACKS);
    for (let n = 1; n < back; n++) found.set((end - n + 4 * STACKS) % (4 * STACKS), { mark: "back", text: n });
    found.set(turned, { mark: "turned", text: back });
  }
  return found;
}

function wall(seat, at, found) {
  const stacks = [];
  for (let stack = 1; stack <= STACKS; stack++) {
    const one = found.get(STACKS * seat + stack - 1);
    const along = alongOf(stack);
    stacks.push(box(at, along, WALL, WIDTH - 1, DEPTH, { rx: 2, class: `stack ${one?.mark ?? ""}` }));
    stacks.push(box(at, along, WALL, WIDTH - 1, 1, { class: "stack-line" }));
    if (one && ["break", "turned"].includes(one.mark)) {
      stacks.push(...flag(at, along, one));
    } else if (one && one.text % 5 === 0) {
      stacks.push(words(at, along, NOTE + 6, one.text, { class: "count" }));
    }
  }
  return stacks;
}

function flag(at, along, { mark, text }) {
  const [x, y] = spot(at, along, NOTE - 3);
  return [
    svg("circle", { cx: x, cy: y, r: 12, class: `flag ${mark}` }),
    svg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", class: "flag-text" }, text),
  ];
}

/** An arrow behind the break in the direction of drawing. */
function arrow(guide, viewer) {
  if (!guide?.break) return null;
  const at = (guide.break.owner - viewer + 4) % 4;
  const along = alongOf(guide.break.stack);
  const points = [[along - 5, WALL + 15], [along + 9, WALL + 20], [along - 5, WALL + 25]]
    .map(([a, out]) => spot(at, a, out).join(",")).join(" ");
  return svg("polygon", { points, class: "arrow" });
}

function seatLabel(seat, at, { wind, title, name, active }) {
  const [x, y] = spot(at, 0, LABEL + (at % 2 ? 6 : 2));
  const line = (dy, text, className) =>
    svg("text", { x, y: y + dy, "text-anchor": "middle", "dominant-baseline": "central", class: className }, text);
  const short = name && [...name].length > 5 ? `${[...name].slice(0, 4).join("")}…` : name;
  return svg("g", { class: `seat${active ? " active" : ""}`, "data-seat": seat },
    active ? svg("rect", { x: x - 36, y: y - 19, width: 72, height: short ? 52 : 38, rx: 10, class: "seat-box" }) : null,
    line(-8, wind, "wind"), line(9, title, "title"), short ? line(24, short, "name") : null);
}

function rollsView(rolls) {
  const [x, height] = [MIDDLE + 8, 32];
  const top = MIDDLE - ((rolls.length - 1) * height) / 2;
  return rolls.map(({ label, dice }, n) => {
    const y = top + n * height;
    return svg("g", { class: "rolled" },
      svg("text", { x: x - 22, y, "text-anchor": "end", "dominant-baseline": "central" }, label),
      dice.map((points, k) => svg("image", {
        href: pictureOf(`die${points}`), x: x - 16 + k * 25, y: y - 13, width: 22, height: 26,
      })),
      svg("text", { x: x + 38, y, "text-anchor": "start", "dominant-baseline": "central" }, `= ${dice[0] + dice[1]}`));
  });
}

/** The turned tile on its stack, larger than life. */
function turnedTile(guide, viewer, indicator) {
  if (!guide?.indicator || !indicator) return null;
  const at = (guide.indicator.owner - viewer + 4) % 4;
  const [x, y] = spot(at, alongOf(guide.indicator.stack), WALL);
  return svg("image", { href: pictureOf(indicator), x: x - 14, y: y - 18, width: 28, height: 37 });
}

/**
 * Draw the table.
 *
 * @param {object} ask viewer (seat below), seats ([{wind, title, name, active}] by seat), guide
 *   (answer of /api/opening or null), rolls ([{label, dice}]), indicator, walls, label
 */
export function drawTable({ viewer, seats, guide = null, rolls = [], indicator = null, walls = true, label }) {
  const found = marks(guide);
  const at = (seat) => (seat - viewer + 4) % 4;
  return svg("svg", { viewBox: "0 0 400 400", class: "table-drawing", role: "img", "aria-label": label },
    svg("rect", { x: 46, y: 46, width: 308, height: 308, rx: 16, class: "cloth" }),
    walls ? [0, 1, 2, 3].map((seat) => wall(seat, at(seat), found)) : null,
    arrow(guide, viewer),
    seats.map((seat, n) => seatLabel(n, at(n), seat)),
    rollsView(rolls),
    turnedTile(guide, viewer, indicator),
    walls && !rolls.length
      ? svg("text", { x: MIDDLE, y: MIDDLE, "text-anchor": "middle", class: "hint" }, t("seventeen")) : null);
}
