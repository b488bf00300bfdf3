// What to do where nothing is seen yet: where the camera stands best, and what may be wrong.

import { h } from "./dom.js";
import { t } from "./words.js";

// Tiles found take a moment; what may be wrong is said when none has been for so long.
const PATIENCE_MS = 5000;
// Mean brightness of the picture, of 255. Rendered tables lose their first tiles at 36 and all of them at 14, a hand
// that fills the picture at 8.
const DARK = 30;
const SAMPLE = { width: 32, height: 24 };

/** Where to put the camera, before there is one. */
export const howView = () => [
  h("dl", { class: "live-how" }, ["Hand", "Table", "Light"].map((name) =>
    h("div", {}, h("dt", {}, t(`how${name}`)), h("dd", {}, t(`how${name}Text`))))),
  h("p", { class: "muted" }, t("howPrivate")),
];

/** Whether a picture is too dark to read tiles in. */
function isDark(image) {
  if (!image.naturalWidth) return false;
  const canvas = h("canvas", SAMPLE);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(image, 0, 0, SAMPLE.width, SAMPLE.height);
  const { data } = pen.getImageData(0, 0, SAMPLE.width, SAMPLE.height);
  let sum = 0;
  for (let k = 0; k < data.length; k += 4) sum += 0.299 * data[k] + 0.587 * data[k + 1] + 0.114 * data[k + 2];
  return sum / (data.length / 4) < DARK;
}

const hasHand = (seen) => seen.tiles.some((one) => one.seat === 0 && ["hand", "drawn"].includes(one.role) && one.tile !== "back");

/**
 * Tells what may be wrong once no hand has been seen for a while.
 *
 * @param {function} redraw called when there is something new to say
 */
export function makeAdviser(redraw) {
  let since = null;
  let number = null;
  let timer = null;
  let told = "";

  /** What may be wrong: "" (nothing, or it is not live), "waiting", "dark", "nothing", "seat" or "place". */
  return (session, image) => {
    const seen = session?.state;
    if (!seen || hasHand(seen)) {
      clearTimeout(timer);
      since = null;
      return "";
    }
    if (seen.stale) return "";
    if (since === null || number !== session.number) {
      [since, number, told] = [performance.now(), session.number, "waiting"];
      clearTimeout(timer);
      timer = setTimeout(redraw, PATIENCE_MS);
    }
    // What moves may be the very tiles that are wanted.
    if (performance.now() - since < PATIENCE_MS - 1 || (seen.moving && told === "waiting")) return (told = "waiting");
    if (isDark(image)) told = "dark";
    else if (!seen.tiles.length) told = "nothing";
    else told = seen.placement ? "seat" : "place";
    return told;
  };
}

/** Why no hand is seen, in words, and the way to put it right. */
export function adviserView(trouble, onplace) {
  const text = { dark: "noHandDark", nothing: "noHandNothing", seat: "noHandSeat", place: "noHandPlace" }[trouble];
  if (!text) return h("p", { class: "muted" }, t("noHand"));
  return h("div", { class: "live-trouble", "data-trouble": trouble },
    h("p", {}, t("noHand"), " ", t(text)),
    ["seat", "place"].includes(trouble)
      ? h("button", { type: "button", class: "quiet", onclick: onplace }, t("doubtPlace")) : null);
}
