// The line above the live picture: how the camera is doing, and what to do about it.

import { h } from "./dom.js";
import { say, t } from "./words.js";

const said = new WeakMap();

/** What the line says: a kind, its text, and whether there are doubts to be looked at (`open` of them). */
function bannerOf({ session, problem }, connected, open) {
  if (!session) {
    if (!connected) return ["offline", t("liveOffline")];
    return problem ? ["offline", say(problem)] : ["none", ""];
  }
  const { source, state: seen } = session;
  const name = { source: session.browser ? t("browserCamera") : source.source };
  if (!connected) return ["offline", t("liveOffline")];
  if (source.state === "live") {
    if (session.error) return ["doubt", t("liveError", { why: session.error })];
    if (!seen) return ["live", `${t("liveNow", name)} · ${t("liveFirst")}`];
    if (open) return ["doubt", `${t("liveNow", name)} · ${t("liveCheck", { n: open })}`, true];
    return seen.moving ? ["live", `${t("liveNow", name)} · ${t("liveMoving")}`] : ["live", t("liveNow", name)];
  }
  if (source.state === "connecting") return ["connecting", t("liveConnecting", name)];
  if (source.state === "ended" && source.reason?.code === "end_of_file") return ["ended", t("liveEnded", name)];
  const time = new Date((seen?.wall ?? 0) * 1000).toLocaleTimeString();
  const old = seen ? t("liveOld", { time }) : t("liveUnplugged");
  // Power and cables are no help where the camera is a page on some device.
  const why = session.browser && source.reason?.code === "no_signal" ? t("browserSilent") : source.reason && say(source.reason);
  return ["offline", `${why || ""} ${old}`];
}

/**
 * Draw the line into `node`; it is drawn anew only when it says something else.
 *
 * @param {object} message of /api/live, or null
 * @param {object} on connected, `open` (how many doubts), `lost` (this page was the camera and no longer is),
 *   onlook() to the doubts, onagain() goes on with this device's camera
 */
export function drawBanner(node, message, { connected, open, lost, onlook, onagain }) {
  const [kind, text, doubts] = bannerOf(message ?? {}, connected, open);
  const again = kind === "offline" && connected && lost;
  const key = JSON.stringify([kind, text, doubts, again]);
  node.dataset.kind = kind;
  node.hidden = text === "";
  if (said.get(node) === key) return;
  said.set(node, key);
  const button = (mark, run, label) => h("button", { type: "button", class: "quiet", [mark]: "", onclick: run }, label);
  node.replaceChildren(...[
    h("span", {}, text),
    doubts ? button("data-to-doubts", onlook, t("liveToDoubts")) : null,
    again ? button("data-camera-again", onagain, t("cameraAgain")) : null,
  ].filter(Boolean));
}
