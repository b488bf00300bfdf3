// What stands below the score: advice, and the settlement of the hand.

import * as coach from "./coach.js";
import { desk } from "./desk.js";
import { byId } from "./dom.js";
import { onsheet } from "./ledger.js";
import { onrules } from "./ruleoptions.js";
import { Settle } from "./settle.js";
import { currentLanguage } from "./words.js";

const SIDE = 1600;
const QUALITY = 0.85;

/** The photo on the desk as base64 of a JPEG no larger than the sheet keeps. */
async function photoAsBase64() {
  const image = new Image();
  image.src = desk.photo().url;
  await image.decode();
  const scale = Math.min(1, SIDE / Math.max(image.naturalWidth, image.naturalHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.naturalWidth * scale);
  canvas.height = Math.round(image.naturalHeight * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/jpeg", QUALITY).split(",")[1];
}

const won = () => (desk.answer()?.kind === "win" ? desk.answer() : null);

/** What goes on the sheet beside the points: the name of the win and the tiles. */
function extras() {
  const answer = won();
  if (!answer) return {};
  const { hand, drawn, melds, indicator } = desk.request();
  return { title: answer.title.zh, reading: { hand, drawn, melds, indicator, jokers: answer.jokers } };
}

const settling = new Settle({
  root: byId("settle"), id: "settle", fan: () => won()?.fan ?? null, extras,
  // What another won, or a drawn hand, is entered on the sheet itself.
  shown: () => won() !== null,
});
let last = "";

/** The settlement starts anew when what is settled has changed. */
function takeAnswer(answer) {
  settling.picture = desk.photo() ? photoAsBase64 : null;
  const { hand, drawn, melds } = desk.request();
  const now = JSON.stringify([answer.kind, answer.fan, hand, drawn, melds]);
  if (now !== last) settling.restart();
  last = now;
  coach.takeAnswer(answer);
}

export function connectExtras() {
  desk.onanswer(takeAnswer);
  onsheet(() => settling.draw());
  onrules(() => settling.draw());
}

/** Say everything anew, after the language has changed. */
export function drawExtras() {
  byId("settle").lang = currentLanguage() === "zh" ? "zh-CN" : "en";
  settling.draw();
  coach.draw();
}
