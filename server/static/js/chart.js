// The running totals of a 锅 as lines, one for each player.

import { svg } from "./dom.js";
import { signed } from "./paymentview.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 240, 44, 96, 14, 24];
const DASHES = ["", "7 4", "2 3", "10 3 2 3"];
const TICKS = 5;

/** A round step so that about `TICKS` steps cover a range. */
function stepOf(range) {
  const rough = Math.max(range, 1) / TICKS;
  const base = 10 ** Math.floor(Math.log10(rough));
  return Math.max(1, [1, 2, 5, 10].map((k) => k * base).find((one) => one >= rough));
}

/** Heights of the labels at the right end, so far apart that none covers another. */
function spread(heights) {
  const gap = 16;
  const order = heights.map((y, seat) => [y, seat]).sort(([a], [b]) => a - b);
  const out = [];
  let last = -Infinity;
  for (const [y, seat] of order) {
    last = Math.max(y, last + gap);
    out[seat] = last;
  }
  const over = Math.max(...out) - (HEIGHT - 6);
  return over > 0 ? out.map((y) => y - over) : out;
}

/**
 * @param {string[]} players by seat
 * @param {number[][]} totals by line, the totals by seat after it
 * @param {string} label what the picture shows, in words
 */
export function chart(players, totals, label) {
  const rows = [[0, 0, 0, 0], ...totals];
  const low = Math.min(...rows.flat());
  const high = Math.max(...rows.flat());
  const step = stepOf(high - low);
  const [from, to] = [Math.floor(low / step) * step, Math.max(Math.ceil(high / step) * step, Math.floor(low / step) * step + step)];
  const x = (n) => LEFT + (n / Math.max(rows.length - 1, 1)) * (WIDTH - LEFT - RIGHT);
  const y = (points) => TOP + ((to - points) / (to - from)) * (HEIGHT - TOP - BOTTOM);
  const ticks = [];
  for (let points = from; points <= to; points += step) ticks.push(points);
  const ends = spread(rows.at(-1).map(y));
  const every = Math.ceil(rows.length / 12);
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label },
    ticks.map((points) => [
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(points), y2: y(points), class: points === 0 ? "zero" : "grid" }),
      svg("text", { x: LEFT - 8, y: y(points), "text-anchor": "end", "dominant-baseline": "central" }, signed(points)),
    ]),
    rows.map((_, n) => (n % every === 0 && n > 0
      ? svg("text", { x: x(n), y: HEIGHT - 6, "text-anchor": "middle" }, String(n)) : null)),
    players.map((name, seat) => {
      const points = rows.map((row, n) => `${x(n)},${y(row[seat])}`).join(" ");
      const short = [...name].length > 6 ? `${[...name].slice(0, 5).join("")}…` : name;
      return svg("g", { class: `line-${seat}` },
        svg("polyline", { points, "stroke-dasharray": DASHES[seat] || null }),
        svg("circle", { cx: x(rows.length - 1), cy: y(rows.at(-1)[seat]), r: 4 }),
        svg("text", { x: WIDTH - RIGHT + 10, y: ends[seat], "dominant-baseline": "central" },
          `${short} ${signed(rows.at(-1)[seat])}`));
    }));
}
