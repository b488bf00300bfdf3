// What teaching a set looks like.

import { h } from "./dom.js";
import { update } from "./redraw.js";
import { percent } from "./setscard.js";
import { counted, framed, guide, overlay, strip } from "./tilesdraw.js";
import { say, sayTiles, t, tileName } from "./words.js";

// What a person may insist on against the program's doubts.
const INSISTED = ["wrong_names", "unlike_examples"];

/** The parts of the card, each drawn only when it has changed. */
export function drawTeach(node, teach) {
  if (!node.firstChild) {
    node.replaceChildren(...["head", "camera", "photos", "learn"].map((name) =>
      h("div", { id: `teach-part-${name}` })));
  }
  const [head, camera, photos, learn] = node.children;
  const { state } = teach;
  const { bench } = state;
  update(head, [bench?.add_to, bench?.have, bench?.back, bench?.dice, state.guided, state.others,
    teach.camera.running, teach.learning, state.said], () => headOf(teach));
  drawCamera(camera, teach);
  update(photos, [bench?.photos, bench?.learning?.reasons, teach.learning, photos.clientWidth], () =>
    (bench?.photos ?? []).map((photo, n) => photoOf(teach, photo, n + 1, photos.clientWidth)));
  update(learn, [bench?.learning, bench?.missing, bench?.photos.length, state.error, state.busy, state.insist,
    state.replace], () => learnOf(teach));
}

function headOf(teach) {
  const { state } = teach;
  const { bench } = state;
  const name = bench?.add_to?.name;
  const title = name ? t("teachMore", { name }) : t("teachTitle");
  return [
    h("h2", { id: "tiles-teach-title", tabindex: "-1" }, title),
    state.said ? h("p", { class: "status", role: "status", id: "teach-said" }, state.said) : null,
    name ? null : h("p", {}, t("teachHow")),
    name ? null : guide(bench?.have ?? []),
    name || !bench ? null : counted(bench.have, bench.missing),
    h("fieldset", { class: "set-use", disabled: teach.learning },
      h("legend", { class: "muted" }, t("teachNow")),
      kindOf(teach, false, t("teachFaces")), kindOf(teach, true, t("teachOthers"))),
    state.others ? h("p", { class: "muted" }, t("teachOthersHow")) : h("label", { class: "check" }, h("input", {
      type: "checkbox", id: "teach-order", checked: state.guided,
      onchange: (event) => teach.set({ guided: event.target.checked }),
    }), t("teachOrder")),
    bench && (state.others || bench.back || bench.dice.length) ? h("p", { class: "muted", id: "teach-others-have" },
      t("teachOthersHave", {
        back: t(bench.back ? "yes" : "notYet"),
        dice: bench.dice.length ? bench.dice.map((die) => die[3]).join(" ") : t("notYet"),
      })) : null,
    sourcesOf(teach),
  ];
}

const kindOf = (teach, others, label) => h("label", { class: "check" }, h("input", {
  type: "radio", name: "teach-kind", id: others ? "teach-kind-others" : "teach-kind-faces",
  checked: teach.state.others === others, onchange: () => teach.set({ others, looked: null }),
}), label);

function sourcesOf(teach) {
  const file = (id, label, more) => h("label", { class: `button${id === "teach-photo" ? " phone-only" : ""}` }, h("input", {
    type: "file", id, accept: "image/*,.heic,.heif", disabled: teach.learning, ...more,
    onchange: (event) => {
      const files = [...event.target.files];
      event.target.value = "";
      teach.addFiles(files);
    },
  }), h("span", {}, t(label)));
  const { running } = teach.camera;
  return [
    h("div", { class: "sources" },
      running ? null : h("button", {
        type: "button", class: "primary", id: "teach-camera-start", disabled: teach.learning,
        onclick: () => teach.startCamera(),
      }, t("teachCamera")),
      file("teach-photo", "takePhoto", { capture: "environment" }),
      file("teach-file", "choosePhoto", { multiple: true }),
      teach.state.bench ? h("button", {
        type: "button", class: "quiet", id: "teach-give-up", onclick: () => teach.giveUp(),
      }, t("teachGiveUp")) : null),
    h("p", { class: "muted" }, t("teachPrivate")),
  ];
}

/** The moving picture stays; boxes and count are drawn over and under it after every look. */
function drawCamera(node, teach) {
  const { video } = teach.camera;
  const { looked, trouble, others } = teach.state;
  if (!video) {
    node.replaceChildren();
    return;
  }
  if (!node.contains(video)) {
    video.setAttribute("aria-label", t("teachPicture"));
    const frame = framed(video, video.videoWidth || 4, video.videoHeight || 3);
    node.replaceChildren(h("div", { class: "stage teach-stage" }, frame),
      h("div", { id: "teach-count" }), h("div", { class: "choices" }),
      h("p", { class: "status wrong", role: "alert" }));
  }
  const [stage, count, buttons, wrong] = node.children;
  const frame = stage.firstChild;
  frame.querySelector("svg")?.remove();
  if (looked) {
    frame.style.aspectRatio = `${looked.width} / ${looked.height}`;
    frame.style.setProperty("--ratio", looked.width / looked.height);
    frame.append(overlay({ ...looked, shownWidth: frame.clientWidth, label: t("teachPicture") }));
  }
  update(count, [looked?.have, looked?.tiles.length, others], () => (looked === null ? h("p", {}, t("teachLooking"))
    : others ? h("p", { role: "status" }, t("tilesCounted", { n: looked.tiles.length }))
      : [counted(looked.have, looked.missing), h("p", { class: "muted" }, t("teachAuto"))]));
  update(buttons, [looked === null], () => [
    h("button", {
      type: "button", class: "primary", id: "teach-take", disabled: looked === null, onclick: () => teach.takePicture(),
    }, t("teachTake")),
    h("button", { type: "button", class: "quiet", id: "teach-stop", onclick: () => teach.camera.stop() }, t("teachStop")),
  ]);
  wrong.textContent = trouble ? say(trouble) : "";
}

function photoOf(teach, photo, n, width) {
  const { bench } = teach.state;
  const marked = (bench.learning?.reasons ?? []).flatMap((reason) => reason.tiles)
    .filter(([number]) => number === photo.number).map(([, at]) => at);
  const play = photo.width === 0;
  const title = play ? t("teachPlay", { m: photo.tiles.length }) : t("teachPhoto", { n, m: photo.tiles.length });
  const picture = teach.pictures.get(photo.number);
  let shown = null;
  if (picture) {
    const image = h("img", { src: picture.url, alt: title, width: photo.width, height: photo.height });
    const frame = framed(image, photo.width, photo.height);
    frame.append(overlay({
      ...photo, shownWidth: width, label: title, marked, prefix: `${photo.number}:`,
      onpick: teach.learning ? null : (at) => teach.choose(photo, at),
    }));
    const onpick = teach.learning ? null : (at) => teach.choose(photo, at);
    shown = [h("div", { class: "stage teach-stage" }, frame), strip(photo, picture.url, { marked, onpick })];
  }
  return h("section", { class: "teach-photo", "data-photo": photo.number, "aria-label": title },
    h("div", { class: "desk-head" }, h("h3", {}, title),
      h("button", {
        type: "button", class: "quiet", id: `drop-${photo.number}`, disabled: teach.learning,
        onclick: () => teach.dropPhoto(photo.number),
      }, t("teachDrop"))),
    play ? null : h("p", { class: "muted" }, t("teachCheck")), shown);
}

function learnOf(teach) {
  const { state } = teach;
  const { bench } = state;
  const learning = bench?.learning ?? null;
  const parts = [
    state.busy ? h("p", { class: "status", role: "status" }, state.busy) : null,
    state.error ? h("p", { class: "status wrong", role: "alert", id: "teach-error" }, say(state.error)) : null,
  ];
  if (!bench) return parts;
  if (learning?.state === "learning") return [...parts, progressOf(learning)];
  if (learning?.state === "learnt") return [...outcomeOf(teach, learning.result), ...parts];
  if (learning?.state === "refused") parts.unshift(refusalOf(teach, learning.reasons));
  const ready = bench.add_to !== null || bench.missing.length === 0;
  if (bench.photos.length) {
    parts.push(h("div", { class: "choices" }, h("button", {
      type: "button", class: "primary", id: "teach-learn", disabled: !ready || state.busy !== null,
      onclick: () => teach.learn(),
    }, t("teachLearn")), h("span", { class: "muted" }, t(ready ? "teachSeconds" : "teachFirst"))));
  }
  return parts;
}

const progressOf = ({ done, total }) => h("div", { role: "status" },
  h("p", {}, t("teachLearning")),
  h("progress", { id: "teach-progress", max: total, value: done, "aria-label": t("teachLearning") }));

function refusalOf(teach, reasons) {
  const may = reasons.every(({ code }) => INSISTED.includes(code));
  return h("div", { class: "notice teach-refused", id: "teach-outcome", role: "alert", tabindex: "-1" },
    h("p", {}, t("teachRefused")),
    h("ul", {}, reasons.map((reason) => h("li", { "data-reason": reason.code }, sayTiles(reason)))),
    may ? h("label", { class: "check" }, h("input", {
      type: "checkbox", id: "teach-insist", checked: teach.state.insist,
      onchange: (event) => teach.set({ insist: event.target.checked }),
    }), t("teachInsist")) : null);
}

function outcomeOf(teach, result) {
  const { state } = teach;
  const { figures, others } = result.set;
  const shares = (figure) => ({ before: percent(figure.before), after: percent(figure.after) });
  return [
    h("div", { class: "teach-outcome", id: "teach-outcome", tabindex: "-1" },
      h("h3", {}, t("teachLearnt")),
      result.set.helps ? h("p", { class: "headline", id: "teach-figures" }, t("teachFigures", shares(figures)))
        : h("p", { id: "teach-figures" }, t("teachSuffices")),
      others ? h("p", {}, t("teachFiguresOthers", shares(others))) : null,
      result.count ? h("p", { id: "teach-on-photos" }, t("teachOnPhotos", result)) : null,
      result.like && result.like !== state.bench.add_to?.name
        ? h("p", { class: "set-note stale" }, t("teachLike", { name: result.like })) : null,
      result.changes.length ? [h("h3", {}, t("teachChanges")),
        h("ul", { class: "changes" }, result.changes.map(changeOf))] : null),
    keepOf(teach),
  ];
}

function changeOf(change) {
  const name = (code) => (code === "none" ? t("teachNothing") : tileName(code));
  const wrong = change.after !== change.tile;
  return h("li", { class: wrong ? "wrong" : "", "data-was": change.before, "data-now": change.after },
    h("img", { src: change.picture, alt: name(change.tile), width: 60, height: 80 }),
    h("span", {}, t("teachWas", { was: name(change.before), now: name(change.after) })));
}

function keepOf(teach) {
  const { state } = teach;
  const more = state.bench.add_to?.name;
  const clash = state.error?.code === "name_taken";
  return h("form", {
    class: "live-form", onsubmit: (event) => {
      event.preventDefault();
      teach.store();
    },
  },
  more ? null : [h("label", { for: "teach-name" }, t("teachName")), h("input", {
    type: "text", id: "teach-name", maxlength: 60, required: true, value: state.name, autocomplete: "off",
    placeholder: t("teachNameHint"), oninput: (event) => {
      state.name = event.target.value;
    },
  })],
  clash ? h("label", { class: "check" }, h("input", {
    type: "checkbox", id: "teach-replace", checked: state.replace,
    onchange: (event) => teach.set({ replace: event.target.checked }),
  }), t("setReplace")) : null,
  h("div", { class: "choices" }, h("button", { type: "submit", class: "primary", id: "teach-keep" },
    more ? t("teachKeepMore", { name: more }) : t("teachKeep"))));
}
