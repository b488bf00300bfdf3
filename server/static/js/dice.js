// Two dice to tap or to type: one row of faces for each.

import { h } from "./dom.js";
import { picture } from "./tiles.js";
import { t } from "./words.js";

const FACES = [1, 2, 3, 4, 5, 6];

/**
 * A pad on which a roll of two dice is entered; `onroll([a, b])` is called when both are there.
 *
 * @param {function} onroll takes the roll
 * @param {(number|null)[]} chosen the dice tapped so far: whoever keeps them may draw the pad anew
 *   between the two taps
 */
export function dicePad(onroll, chosen) {
  let rolled = false;
  const pad = h("div", { class: "dice-pad", role: "group", "aria-label": t("tapDice") });
  const choose = (which, points) => {
    // One pad takes one roll: the next one comes with the answer, on a pad of its own.
    if (rolled) return;
    chosen[which] = points;
    for (const button of pad.querySelectorAll(`[data-which="${which}"]`)) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.points) === points));
    }
    rolled = chosen.every((one) => one !== null);
    if (rolled) onroll(chosen.splice(0, 2, null, null));
    else pad.querySelector(`[data-which="${chosen[0] === null ? 0 : 1}"]`).focus({ preventScroll: true });
  };
  pad.append(...[0, 1].map((which) => h("div", { class: "dice-row" },
    h("span", { class: "muted" }, t(which === 0 ? "dieOne" : "dieTwo")),
    FACES.map((points) => h("button", {
      type: "button", class: "die", "data-which": which, "data-points": points, "aria-pressed": String(chosen[which] === points),
      "aria-label": `${t(which === 0 ? "dieOne" : "dieTwo")} ${points}`, onclick: () => choose(which, points),
    }, picture(`die${points}`))))));
  pad.addEventListener("keydown", (event) => {
    const points = Number(event.key);
    if (!FACES.includes(points) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(chosen[0] === null ? 0 : 1, points);
  });
  return pad;
}
