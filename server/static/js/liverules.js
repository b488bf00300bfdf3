// The rules of the table that is watched follow those of this page, once a person changes them here.
//
// A page that only looks on changes nothing: where its rules are others, Live says so.

import { inOrder } from "./answers.js";
import { ApiError, judgeLiveBy } from "./api.js";
import { h } from "./dom.js";
import { currentSheet } from "./ledger.js";
import { onrules, rulesInForce } from "./ruleoptions.js";
import { t } from "./words.js";

const changes = inOrder();

/** The rules of the 锅 that is played, else those chosen on the desk. */
export const playedRules = () => currentSheet()?.options ?? rulesInForce();

/** Whether a session of /api/live is judged by other rules than those that are played by here. */
export const judgedOtherwise = ({ options }) =>
  Object.entries(playedRules()).some(([name, value]) => options[name] !== value);

/** Let the table that is watched, if any, be judged by the rules of this page. */
export async function tellRules() {
  try {
    // Asked for when its turn comes: of two quick changes the later one holds.
    await changes(() => judgeLiveBy(playedRules()));
  } catch (error) {
    // Live says that it is judged otherwise, and whether the program can be reached.
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Say that the table is judged by other rules; `onuse()` lets those of this page judge it. */
export const rulesView = (onuse) => h("p", { class: "notice correcting", role: "status" }, h("span", {}, t("liveOtherRules")), " ",
  h("button", { type: "button", class: "quiet", id: "live-use-rules", onclick: onuse }, t("liveUseRules")));

/** From now on a change on the desk reaches the table; while a 锅 is played, its own rules hold. */
export function connectLiveRules() {
  onrules(() => {
    if (!currentSheet()) tellRules();
  });
}
