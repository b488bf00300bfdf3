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
