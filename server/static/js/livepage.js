// What stands where in the live view.

import { h } from "./dom.js";

/** Fill `root`; answers the parts by their names. Titles are said in `draw`. */
export function layOut(root) {
  const parts = {};
  const card = (name, title) => {
    parts[name] = h("div", { class: `live-${name}` });
    return h("section", { class: "card", "data-part": name, "aria-labelledby": `live-${name}-title` },
      h("h2", { id: `live-${name}-title`, "data-title": title }), parts[name]);
  };
  parts.image = h("img", { alt: "", width: 4, height: 3 });
  parts.frame = h("div", { class: "frame-box" }, parts.image);
  parts.image.addEventListener("load", () => fit(parts));
  parts.stage = h("div", { class: "stage live-stage", hidden: true }, parts.frame);
  parts.banner = h("div", { class: "live-banner", role: "status" });
  parts.tools = h("div", { class: "photo-tools" });
  parts.rules = h("div", { class: "live-rules" });
  parts.set = h("div", { class: "live-recognised" });
  parts.said = h("p", { class: "status wrong", role: "alert" });
  parts.hint = h("p", { class: "muted live-hint", role: "status" });
  parts.place = h("div", { class: "live-place", hidden: true });
  parts.watched = h("section", { class: "card", "aria-labelledby": "live-title" },
    h("h2", { id: "live-title", "data-title": "liveTitle" }),
    parts.banner, parts.rules, parts.stage, parts.place, parts.set, parts.hint, parts.said, parts.tools);
  // Folded away while a camera runs.
  parts.start = h("div", { class: "live-start" });
  parts.fold = h("details", { class: "card", open: true },
    h("summary", {}, h("h2", { "data-title": "startTitle" })), parts.start);
  root.replaceChildren(
    h("div", { class: "live-left" }, parts.watched, card("doubts", "doubts"), parts.fold),
    h("div", { class: "live-right" },
      card("how", "howTitle"), card("hand", "myHand"), card("advice", "liveAdvice"),
      card("table", "tableTitle"), card("events", "liveHappened")));
  return parts;
}

/** Give the picture its shape from the first one on: what is below it does not jump. */
function fit({ frame, image: { naturalWidth: width, naturalHeight: height } }) {
  frame.style.aspectRatio = `${width} / ${height}`;
  frame.style.setProperty("--ratio", width / height);
}
