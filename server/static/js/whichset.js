// Which taught set it is, where the program cannot tell: asked once, and the answer is remembered.

import { h } from "./dom.js";
import { t } from "./words.js";

const NO_SET = "none";

/** The question of one photo or table, ids beginning with `name`: the candidates (key, name) or none; `shown` is used meanwhile. */
export const whichSetView = (name, candidates, shown, onanswer) => h("div", { class: "which-set", role: "group", "aria-labelledby": `${name}-title` },
  h("p", { class: "which-set-title", id: `${name}-title` }, t("whichSet")),
  h("p", { class: "muted" }, t("whichSetWhy", { names: candidates.map((one) => t("setName", { name: one.name })).join(t("orSet")) }), " ",
    shown === null ? t("whichSetPlain") : t("whichSetMeanwhile", { name: shown })),
  h("div", { class: "which-set-answers" },
    ...candidates.map((one, number) => h("button", { type: "button", id: `${name}-${number}`, onclick: () => onanswer(one.key) }, one.name)),
    h("button", { type: "button", class: "quiet", id: `${name}-none`, onclick: () => onanswer(NO_SET) }, t("whichSetNone"))));

const toldView = (name, onchange) => h("p", { class: "muted live-set" },
  h("span", {}, name === null ? t("toldNoSet") : t("toldSet", { name })), " ",
  h("button", { type: "button", class: "quiet", id: "which-set-change", onclick: onchange }, t("toldSetChange")));

/**
 * The question about the photo on the desk. What is answered counts for the photos after it, for
 * as long as the page is open.
 *
 * @param {function} place answers the element where it is asked
 */
export function makeQuestion(place) {
  let key = null;
  const refused = new Set();
  // Of the photo that lies here: the sets it may show, what it was read as, how it is read again.
  let asked = null;
  let answering = false;

  const answered = (answer) => {
    key = answer === NO_SET ? null : answer;
    for (const one of asked.candidates) {
      if (answer === NO_SET) refused.add(one.key);
      else refused.delete(one.key);
    }
    answering = true;
    asked.readAgain();
  };

  const draw = (focus = null) => {
    const node = place();
    node.hidden = asked === null;
    node.replaceChildren(...(asked === null ? []
      : asked.told ? [toldView(asked.shown, () => {
        asked.told = false;
        draw("which-set-0");
      })]
        : [whichSetView("which-set", asked.candidates, asked.shown, answered)]));
    if (focus) node.querySelector(`#${focus}`)?.focus();
  };

  return {
    /** Draw it again, for instance in another language. */
    draw: () => draw(),
    /** What was said so far, as `readPhoto` takes it. */
    said: () => ({ set: key, not: [...refused] }),
    /** Ask what the answer of /api/read leaves open; `readAgain()` reads the photo once more. */
    ask: (found, readAgain) => {
      asked = found.set_candidates.length
        ? { candidates: found.set_candidates, told: found.set_told, shown: found.tile_set, readAgain } : null;
      draw();
    },
    /** Whether an answer is still wanted. */
    open: () => asked !== null && !asked.told,
    /** All is drawn: the button that was tapped is gone, what was said stands in its place. */
    reached: () => {
      if (answering) place().querySelector("#which-set-change")?.focus();
      answering = false;
    },
    /** Another photo comes, or none. */
    close: () => {
      asked = null;
      draw();
    },
  };
}
