// Adding a tile that the camera does not find: point at its place in the picture, then choose it.

import { h } from "./dom.js";
import { openPicker } from "./picker.js";
import { t } from "./words.js";

const STEP = 0.01;
const FAST = 5;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const within = (value) => Math.min(1, Math.max(0, value));

/**
 * A layer over the picture that takes one place and asks for the tile there.
 *
 * @param {object} ask jokers (codes), put(body) sends the correction, stop() ends the adding
 */
export function addLayer({ jokers, put, stop }) {
  const at = { x: 0.5, y: 0.5 };
  const cross = h("span", { class: "add-cross", "aria-hidden": "true" });
  const layer = h("button", { type: "button", class: "add-layer", id: "live-add-layer" }, cross);
  const draw = () => {
    cross.style.left = `${100 * at.x}%`;
    cross.style.top = `${100 * at.y}%`;
    layer.setAttribute("aria-label", t("liveAddHere", { x: Math.round(100 * at.x), y: Math.round(100 * at.y) }));
  };
  layer.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return stop();
    const step = KEYS[event.key];
    if (!step) return undefined;
    event.preventDefault();
    const far = STEP * (event.shiftKey ? FAST : 1);
    at.x = within(at.x + far * step[0]);
    at.y = within(at.y + far * step[1]);
    return draw();
  });
  layer.addEventListener("click", (event) => {
    // A click that a key made has no place of its own.
    if (event.detail > 0) {
      const box = layer.getBoundingClientRect();
      at.x = within((event.clientX - box.left) / box.width);
      at.y = within((event.clientY - box.top) / box.height);
      draw();
    }
    const { x, y } = at;
    openPicker({
      title: t("pickAdded"), jokers, chosen: null, faceDown: true,
      onpick: (code) => {
        stop();
        put({ add: { tile: code, x, y } });
      },
    });
  });
  draw();
  return layer;
}
