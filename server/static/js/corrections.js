// Tiles that a person put right in play, as small pictures in this page's memory and nowhere else.
//
// Nothing is held before the person agrees. They are offered under "My tiles", and what is not added
// to a set there is forgotten with the page.

import { newestOnly } from "./answers.js";
import { recall, remember } from "./memory.js";

const MOST = 40;
const AROUND = 0.8; // of the tile's longer side, from its middle: the surroundings count too
const LARGEST = 256;
const QUALITY = 0.92;
const FACE = /^([1-9][mps]|[1-7]z|back|die[1-6])$/;

const held = new Map();
const deskTold = newestOnly();
let listener = null;

export const agreed = () => recall("corrections", false);
export const fixes = () => [...held.entries()].map(([key, fix]) => ({ key, ...fix }));

/** Call `draw()` whenever what is held changes. */
export function onfixes(draw) {
  listener = draw;
}

function changed() {
  listener?.();
}

/** Agree to hold corrections, or no longer. */
export function agree(value) {
  remember("corrections", value);
  if (!value) held.clear();
  changed();
}

export function forget(keys) {
  for (const key of keys) held.delete(key);
  changed();
}

/** The part of `image` around a box (in its own pixels) as base64, and the box in that part. */
function cut(image, [x1, y1, x2, y2]) {
  const reach = AROUND * Math.max(x2 - x1, y2 - y1);
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const left = Math.max(0, x - reach);
  const top = Math.max(0, y - reach);
  const width = Math.min(image.naturalWidth, x + reach) - left;
  const height = Math.min(image.naturalHeight, y + reach) - top;
  if (!(width >= 8 && height >= 8)) return null;
  const scale = Math.min(1, LARGEST / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(32, Math.round(width * scale));
  canvas.height = Math.max(32, Math.round(height * scale));
  canvas.getContext("2d").drawImage(image, left, top, width, height, 0, 0, canvas.width, canvas.height);
  const [across, down] = [canvas.width / width, canvas.height / height];
  return {
    url: canvas.toDataURL("image/jpeg", QUALITY),
    box: [(x1 - left) * across, (y1 - top) * down, (x2 - left) * across, (y2 - top) * down],
  };
}

/**
 * Hold what was put right in one picture, and let go of what was taken back.
 *
 * @param {string} where names the picture
 * @param {HTMLImageElement} image decoded; `width` is how wide the boxes take it to be
 * @param {object[]} tiles {id, box, tile, was, set}: those put right now
 */
function hold(where, image, width, tiles) {
  const wanted = new Map(tiles.filter((one) => FACE.test(one.tile)).map((one) => [`${where}#${one.id}`, one]));
  let news = false;
  for (const key of [...held.keys()]) {
    if (!key.startsWith(`${where}#`) || wanted.has(key)) continue;
    held.delete(key);
    news = true;
  }
  const scale = image.naturalWidth / width;
  for (const [key, one] of wanted) {
    const before = held.get(key);
    if (before?.tile === one.tile) continue;
    const part = before ?? cut(image, one.box.map((value) => value * scale));
    if (!part || (!before && held.size >= MOST)) continue;
    held.set(key, { url: part.url, box: part.box, tile: one.tile, was: one.was, set: one.set ?? null });
    news = true;
  }
  if (news) changed();
}

/** Let go of what was put right on a photo that is read again: what stays put right is told anew. */
export function letGo(photo) {
  if (photo) forget([...held.keys()].filter((key) => key.startsWith(`desk ${photo.url}#`)));
}

/** The desk's photo and the tiles on it whose names are not as they were read. */
export async function fromDesk(photo, tiles) {
  const isNewest = deskTold();
  if (!agreed() || !photo) return;
  const image = new Image();
  image.src = photo.url;
  try {
    await image.decode();
  } catch {
    return; // the photo has been put away meanwhile
  }
  // Meanwhile more may have been put right, or the person agrees no longer.
  if (!isNewest() || !agreed()) return;
  hold(`desk ${photo.url}`, image, photo.width, tiles);
}

/** The live picture and the tiles of the session that were put right and still lie there. */
export function fromLive(session, image) {
  if (!agreed() || !session?.state || !image.naturalWidth) return;
  const put = session.state.tiles.filter((one) => session.corrected.includes(one.id));
  const tiles = put.map((one) => ({ id: one.id, box: one.box, tile: one.tile, was: one.alternatives?.[0]?.[0] ?? null }));
  // A tile that has left the table was put right all the same: only what was taken back goes.
  const gone = [...held.keys()].map((key) => key.split("#")).filter(([where, id]) =>
    where === `live ${session.number}` && !session.state.tiles.some((one) => one.id === Number(id)));
  const kept = gone.map(([, id]) => ({ id: Number(id), ...held.get(`live ${session.number}#${id}`) }));
  hold(`live ${session.number}`, image, session.state.width, [...tiles, ...kept]);
}
