// Pictures of tiles with a box and a name on each, and the guided order of the 34 kinds.

import { h, svg } from "./dom.js";
import { ALL_TILES } from "./table.js";
import { picture } from "./tiles.js";
import { t, tileLabel, tileName } from "./words.js";

const ROWS = [ALL_TILES.slice(0, 9), ALL_TILES.slice(9, 18), ALL_TILES.slice(18, 27), ALL_TILES.slice(27)];

/** The four rows to lay, with a tick on the kinds that are there. */
export function guide(have) {
  return h("div", { class: "guide-rows", role: "group", "aria-label": t("teachGrid") }, ROWS.map((row) =>
    h("div", { class: "guide-row" }, row.map((code) => {
      const there = have.includes(code);
      return h("span", {
        class: `guide-cell${there ? " have" : ""}`, role: "img", "data-kind": code,
        "aria-label": t(there ? "teachHave" : "teachLacks", { tile: tileName(code) }),
      }, picture(code), there ? h("span", { class: "tick", "aria-hidden": "true" }, "✓") : null);
    }))));
}

/** Boxes and names over a picture of `width` x `height`; tiles can be tapped when `onpick` is given. */
export function overlay({ tiles, width, height, shownWidth, label, marked = [], onpick = null, prefix = "" }) {
  const fontSize = (13 * width) / Math.max(shownWidth, 200);
  const one = (tile, at) => {
    const [x1, y1, x2, y2] = tile.box;
    const text = tile.tile === null ? "–" : tileLabel(tile.tile) + (tile.doubtful ? "?" : "");
    const units = 0.35 + [...text].reduce((sum, c) => sum + (c > "\u00ff" ? 1 : 0.6), 0);
    const size = Math.max(Math.min(fontSize, (x2 - x1) / units), fontSize * 0.62);
    const top = Math.max(y1 - size * 1.25, 0);
    const name = tile.tile === null ? t("teachIgnored") : tileName(tile.tile);
    // The keyboard walks the strip of the same tiles below the picture.
    const taps = onpick ? {
      role: "button", tabindex: "-1", "data-box": `${prefix}${at}`, "aria-label": name, onclick: () => onpick(at),
    } : {};
    return svg("g", {
      class: `box ${tile.tile === null ? "ignored" : "hand"}${tile.doubtful ? " doubtful" : ""}${marked.includes(at) ? " marked" : ""}`,
      "data-code": tile.tile ?? "", ...taps,
    },
    svg("rect", { class: "frame", x: x1, y: y1, width: x2 - x1, height: y2 - y1, rx: size * 0.2 }),
    svg("rect", { class: "tag", x: x1, y: top, width: size * units, height: size * 1.25, rx: size * 0.2 }),
    svg("text", { x: x1 + size * 0.17, y: top + size, "font-size": size }, text));
  };
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label }, tiles.map(one));
}

const CROP = 44;
const AROUND = 1.12;

/** Each tile cut out of its photo with its name, to check and to tap. */
export function strip({ tiles, width, height, number }, url, { marked, onpick }) {
  return h("div", { class: "teach-strip" }, tiles.map((tile, at) => {
    const [x1, y1, x2, y2] = tile.box;
    const scale = CROP / (Math.max(x2 - x1, (y2 - y1) * 0.75) * AROUND);
    const crop = h("span", { class: "teach-crop", "aria-hidden": "true" });
    crop.style.backgroundImage = `url("${url}")`;
    crop.style.backgroundSize = `${width * scale}px ${height * scale}px`;
    const [left, top] = [((x1 + x2) / 2) * scale - CROP / 2, ((y1 + y2) / 2) * scale - (CROP * 2) / 3];
    crop.style.backgroundPosition = `${-left}px ${-top}px`;
    const name = tile.tile === null ? t("teachIgnored") : tileName(tile.tile);
    return h("button", {
      type: "button", "data-at": `${number}:${at}`, "data-code": tile.tile ?? "", disabled: !onpick,
      class: `teach-tile${tile.doubtful ? " doubtful" : ""}${marked.includes(at) ? " marked" : ""}`,
      "aria-label": `${name}${tile.doubtful ? `, ${t("uncertain")}` : ""}`, onclick: () => onpick(at),
    }, crop, h("span", { "aria-hidden": "true" }, tile.tile === null ? "–" : tileLabel(tile.tile) + (tile.doubtful ? "?" : "")));
  }));
}

/** A picture in its own shape, to lay boxes over. */
export function framed(image, width, height) {
  const frame = h("div", { class: "frame-box" }, image);
  frame.style.aspectRatio = `${width} / ${height}`;
  frame.style.setProperty("--ratio", width / height);
  return frame;
}

/** "n kinds are there, m are missing:" and the missing ones as pictures. */
export function counted(have, missing) {
  return h("div", { class: "counted", role: "status", "data-have": have.length }, missing.length ? [
    h("p", {}, t("teachCount", { n: have.length, m: missing.length })),
    h("div", { class: "row", "aria-hidden": "true" }, missing.slice(0, 17).map((code) => picture(code)),
      missing.length > 17 ? h("span", { class: "muted" }, "…") : null),
    h("span", { class: "unseen" }, missing.map((code) => tileName(code)).join(", ")),
  ] : h("p", { class: "all-there" }, t("teachAll")));
}
