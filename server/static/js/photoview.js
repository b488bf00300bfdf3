// The photo with a box and a name on every tile.

import { h, svg } from "./dom.js";
import { placeOf } from "./table.js";
import { describe } from "./tiles.js";
import { t, tileLabel } from "./words.js";

/** A picture the browser can show for this file, or null (HEIC in most browsers). */
export async function showable(blob) {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return { url, width: image.naturalWidth, height: image.naturalHeight };
  } catch {
    URL.revokeObjectURL(url);
    return null;
  }
}

function boxOf(table, id, { jokers, fontSize, onpick }) {
  const tile = table.tiles[id];
  const { place, meld } = placeOf(table, id);
  const [x1, y1, x2, y2] = tile.box;
  const text = tileLabel(tile.code) + (tile.doubtful ? "?" : "");
  const units = 0.35 + [...text].reduce((sum, c) => sum + (c > "\u00ff" ? 1 : 0.6), 0);
  const size = Math.max(Math.min(fontSize, (x2 - x1) / units), fontSize * 0.62);
  const tall = size * 1.25;
  const top = Math.max(y1 - tall, 0); // above the tile, so that its face stays in view
  const name = meld ? meld.kind : place;
  const joker = place !== "indicator" && jokers.includes(tile.code);
  const pick = () => onpick(id);
  return svg("g", {
    class: `box ${name}${tile.doubtful ? " doubtful" : ""}${joker ? " joker" : ""}`,
    role: "button", tabindex: "-1", "data-tile": id,
    "aria-label": describe(tile, { joker, place: t(name === "aside" ? "asidePlace" : name) }),
    onclick: pick,
  },
  svg("rect", { class: "frame", x: x1, y: y1, width: x2 - x1, height: y2 - y1, rx: size * 0.2 }),
  svg("rect", { class: "tag", x: x1, y: top, width: size * units, height: tall, rx: size * 0.2 }),
  svg("text", { x: x1 + size * 0.17, y: top + size, "font-size": size }, text));
}

/**
 * Draw the photo's boxes.
 *
 * @param {Element} stage
 * @param {object|null} photo {url, width, height} or null
 */
export function drawPhoto(stage, photo, table, { jokers, onpick }) {
  if (!photo) return;
  let frame = stage.querySelector(".frame-box");
  if (frame?.dataset.url !== photo.url) {
    const image = h("img", { src: photo.url, alt: t("photo"), width: photo.width, height: photo.height });
    frame = h("div", { class: "frame-box", "data-url": photo.url }, image);
    frame.style.aspectRatio = `${photo.width} / ${photo.height}`;
    frame.style.setProperty("--ratio", photo.width / photo.height);
    stage.replaceChildren(frame);
  }
  frame.querySelector("img").alt = t("photo");
  frame.querySelector("svg")?.remove();
  const ids = Object.keys(table.tiles).map(Number).filter((id) => table.tiles[id].box);
  // About 13 px on the screen, whatever the photo's own size.
  const fontSize = (13 * photo.width) / Math.max(frame.clientWidth, 200);
  const order = ids.sort((a, b) => Number(table.tiles[a].doubtful) - Number(table.tiles[b].doubtful));
  frame.append(svg("svg", {
    viewBox: `0 0 ${photo.width} ${photo.height}`, role: "group", "aria-label": t("tilesOnPhoto"),
  }, order.map((id) => boxOf(table, id, { jokers, fontSize, onpick }))));
}
