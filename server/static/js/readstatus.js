// The line under a photo: what became of reading it.

import { h } from "./dom.js";
import { say, t } from "./words.js";

/**
 * Draw the line.
 *
 * @param {HTMLElement} node where
 * @param {object|null} status `{error}`, or `{key, values}` of a sentence; null says nothing
 * @param {object} read what is known of the reading: `tileSet` its name, `setOpen` whether that is
 *   asked, `kept` how many changes stayed, `notes` of the photo
 */
export function drawReadStatus(node, status, { tileSet, setOpen, kept, notes }) {
  node.classList.toggle("wrong", Boolean(status?.error));
  const done = status?.key === "readDone";
  const ofSet = setOpen ? t("readSetOpen") : tileSet ? t("readWithSet", { name: tileSet }) : null;
  node.replaceChildren(...(status === null ? []
    : status.error ? [say(status.error)]
      : [t(status.key, status.values),
        ...(done && ofSet ? [` · ${ofSet}`] : []),
        ...(done && kept ? [` · ${t("readKept", { n: kept })}`] : []),
        // Which set it is, is asked below.
        ...notes.filter((note) => note.code !== "which_set").map((note) => h("span", { class: "note" }, say(note)))]));
}
