// Drawing a part anew only when what it shows has changed, with the focus kept where it was.

import { currentLanguage } from "./words.js";

const drawn = new WeakMap();
const MARKS = ["id", "data-at", "data-kind"];

/** Fill `node` with what `build()` makes when `data` or the language has changed. */
export function update(node, data, build) {
  const key = JSON.stringify([data, currentLanguage()]);
  if (drawn.get(node) === key) return;
  drawn.set(node, key);
  const had = node.contains(document.activeElement) ? document.activeElement : null;
  const mark = had && MARKS.find((one) => had.hasAttribute(one));
  node.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  if (mark) node.querySelector(`[${mark}="${CSS.escape(had.getAttribute(mark))}"]`)?.focus({ preventScroll: true });
}

/** Do what draws `node` anew; the keyboard stays at the place it had, where that is still there. */
export function keepingFocus(node, draw) {
  const had = node.contains(document.activeElement) ? document.activeElement : null;
  const mark = had && [...had.attributes].find(({ name }) => name === "id" || name.startsWith("data-"));
  draw();
  if (!mark || node.contains(document.activeElement)) return;
  node.querySelector(`[${mark.name}="${CSS.escape(mark.value)}"]`)?.focus({ preventScroll: true });
}
