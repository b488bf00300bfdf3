// The taught tile set that the watched table was recognised by, and a word against it.

import { h } from "./dom.js";
import { t } from "./words.js";

/** One line with the set's name; `onnot(key)` when somebody says that it is another. */
export const setView = (set, onnot) => h("p", { class: "muted live-set" }, h("span", {}, t("liveSet", { name: set.name })), " ",
  h("button", { type: "button", class: "quiet", id: "live-set-not", onclick: () => onnot(set.key) }, t("liveSetNot")));
