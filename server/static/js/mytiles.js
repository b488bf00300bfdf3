// The view of one's own tiles: the sets taught, teaching a set, corrections made in play.

import { forget, onfixes } from "./corrections.js";
import { h } from "./dom.js";
import { FixesCard } from "./fixescard.js";
import { SetsCard } from "./setscard.js";
import { Teach } from "./teach.js";

let root = null;
const parts = {};

function card(name) {
  parts[name] = h("section", { class: "card", id: `tiles-${name}`, "aria-labelledby": `tiles-${name}-title` });
  return parts[name];
}

const sets = new SetsCard({
  draw,
  onmore: (set) => teach.begin(set),
  onrefit: (set) => teach.refit(set),
});
const teach = new Teach({ draw, node: () => parts.teach, onstored: (found) => sets.take(found) });
const fixes = new FixesCard({
  draw,
  sets: () => sets.list().filter((set) => !set.stale),
  used: () => sets.used(),
  onlearn: (set, examples, keys) => teach.correct(set, examples, () => forget(keys)),
});

function draw() {
  if (root === null || root.hidden) return;
  sets.drawInto(parts.sets);
  teach.drawInto(parts.teach);
  fixes.drawInto(parts.fixes);
}

onfixes(draw);
addEventListener("resize", draw);
addEventListener("hashchange", () => {
  if (root?.hidden) teach.camera.stop();
});
// What is not stored is forgotten at once, not only when the program tires of waiting.
addEventListener("pagehide", () => teach.leave());

/** Draw the view; called again after the language has changed. */
export async function show(view) {
  if (root === null) {
    root = view;
    root.replaceChildren(card("sets"), card("teach"), card("fixes"));
  }
  draw();
  await sets.load();
}
