// Doubts of the reading, each with its choices one tap away.

import { h } from "./dom.js";
import { picture } from "./tiles.js";
import { sayTiles, t, tileName } from "./words.js";

const CROP = 44;
const PHONE_WIDTH = 820;
const isTile = (value) => /^([1-9][mps]|[1-7]z|back)$/.test(value);

/** The doubts that are neither settled nor about tiles that are gone, with their numbers. */
function stillOpen(doubts, table) {
  return doubts.map((doubt, number) => ({ doubt, number })).filter(({ doubt, number }) =>
    !table.settled.includes(number) && doubt.tiles.every((id) => table.tiles[id])
    && (doubt.code !== "unsure_tile" || table.tiles[doubt.tiles[0]].doubtful));
}

/** The place on the photo that a doubt is about, cut out. */
function crop(photo, boxes) {
  const image = document.querySelector("#stage img");
  if (!photo || !image?.complete || !image.naturalWidth || !boxes.length) return null;
  const scale = image.naturalWidth / photo.width;
  const [x1, y1] = [0, 1].map((k) => Math.min(...boxes.map((box) => box[k])) * scale);
  const [x2, y2] = [2, 3].map((k) => Math.max(...boxes.map((box) => box[k])) * scale);
  const height = CROP;
  const width = Math.min(Math.max((height * (x2 - x1)) / (y2 - y1), 16), 4 * CROP);
  const canvas = h("canvas", { width: 2 * width, height: 2 * height, class: "crop", "aria-hidden": "true" });
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.getContext("2d").drawImage(image, x1, y1, x2 - x1, y2 - y1, 0, 0, 2 * width, 2 * height);
  return canvas;
}

function labelOf(doubt, choice, table) {
  if (isTile(choice.value)) return [picture(choice.value), h("span", {}, tileName(choice.value))];
  const chosen = doubt.code === "drawn_tile" ? table.tiles[Number(choice.value)] : null;
  if (chosen) return [picture(chosen.code), h("span", {}, tileName(chosen.code))];
  return [h("span", {}, sayTiles(choice))];
}

function doubtLine({ doubt, number }, photo, table, { onchoice, onlook, onedit, onadd }) {
  const quiet = (attributes, ...inside) => h("button", { type: "button", class: "quiet", ...attributes }, inside);
  const boxes = doubt.tiles.map((id) => table.tiles[id].box).filter(Boolean);
  const one = doubt.tiles.length === 1 ? doubt.tiles[0] : null;
  return h("div", {
    class: "doubt", "data-doubt": doubt.code,
    onmouseenter: () => onlook(doubt.tiles), onmouseleave: () => onlook([]),
  },
  boxes.length <= 4 ? crop(photo, boxes) : null,
  h("p", {}, sayTiles(doubt)),
  h("div", { class: "choices" },
    doubt.choices.map((choice) => quiet(
      { "data-value": choice.value, onclick: () => onchoice(doubt, number, choice) },
      labelOf(doubt, choice, table))),
    one !== null && isTile(doubt.choices[0]?.value ?? "")
      ? quiet({ onclick: () => onedit(one) }, t("otherTile")) : null,
    doubt.code === "row_gap" ? quiet({ onclick: () => onadd() }, t("addTile")) : null,
    doubt.choices.length === 0
      ? quiet({ onclick: () => onchoice(doubt, number, null) }, t("dismiss")) : null));
}

/**
 * Draw the doubts that are still open: a few at once, the others behind a fold.
 *
 * @param {object} handlers onchoice(doubt, number, choice or null), onlook(ids), onedit(id), onadd()
 */
export function drawDoubts(root, doubts, photo, table, handlers) {
  const lines = stillOpen(doubts, table).map((open) => doubtLine(open, photo, table, handlers));
  const unfolded = root.querySelector("details")?.open ?? false;
  root.hidden = lines.length === 0;
  const atOnce = innerWidth > PHONE_WIDTH ? 2 : 1;
  const rest = lines.slice(atOnce);
  root.replaceChildren(
    h("h2", { id: "doubts-title" }, t("doubts")),
    ...lines.slice(0, atOnce),
    ...(rest.length
      ? [h("details", { open: unfolded }, h("summary", {}, t("moreDoubts", { n: rest.length })), rest)] : []),
  );
}
