// Where photos come from: camera, file, drop, paste and the bundled samples.

import { byId, h } from "./dom.js";
import { say, t } from "./words.js";

const firstImage = (items) => [...(items ?? [])].find((file) => file instanceof File) ?? null;

/** Connect every way to give a photo; `onphoto(file)` takes it. */
export function listen(onphoto) {
  for (const id of ["camera", "file"]) {
    byId(id).addEventListener("change", (event) => {
      const [file] = event.target.files;
      event.target.value = "";
      if (file) onphoto(file);
    });
  }
  const stage = byId("stage");
  let depth = 0;
  const mark = (over) => stage.classList.toggle("over", over);
  document.addEventListener("dragenter", () => mark(++depth > 0));
  document.addEventListener("dragleave", () => mark(--depth > 0));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    mark(false);
    const file = firstImage(event.dataTransfer?.files);
    if (file) onphoto(file);
  });
  document.addEventListener("paste", (event) => {
    const file = firstImage(event.clipboardData?.files);
    if (file) onphoto(file);
  });
}

/** The samples as small pictures. */
export function drawSamples(root, samples, chosen, onsample) {
  root.setAttribute("aria-label", t("samples"));
  root.hidden = samples.length === 0;
  root.replaceChildren(h("h3", {}, t("samples")), h("div", { class: "row" },
    samples.map((sample) => h("button", {
      type: "button", class: "sample", "data-sample": sample.name, title: say(sample),
      "aria-label": say(sample), "aria-pressed": sample.name === chosen ? "true" : "false",
      onclick: () => onsample(sample),
    }, h("img", { src: sample.url, alt: "", width: 96, height: 64, loading: "lazy" })))));
}
