// Corrections made in play, offered as further examples of a set.

import { agree, agreed, fixes, forget } from "./corrections.js";
import { h } from "./dom.js";
import { update } from "./redraw.js";
import { t, tileName } from "./words.js";

export class FixesCard {
  /** @param {object} on draw(); sets(); used(); onlearn(set, examples) */
  constructor(on) {
    this.on = on;
    this.off = new Set();
    this.chosen = null;
  }

  /** The set that is most likely meant: the one chosen, in use, or that a photo showed. */
  target(found) {
    const sets = this.on.sets();
    const named = found.map((fix) => fix.set).find(Boolean);
    return sets.find((set) => set.key === this.chosen) ?? this.on.used()
      ?? sets.find((set) => set.name === named) ?? sets[0] ?? null;
  }

  drawInto(node) {
    const found = fixes();
    const sets = this.on.sets();
    const target = this.target(found);
    update(node, [agreed(), found.map(({ key, tile }) => [key, tile, this.off.has(key)]), sets.map((set) => set.name), target?.key], () => [
      h("h2", { id: "tiles-fixes-title" }, t("fixesTitle")),
      h("p", {}, t("fixesHelp")),
      h("label", { class: "check" }, h("input", {
        type: "checkbox", id: "fixes-consent", checked: agreed(), onchange: (event) => agree(event.target.checked),
      }), t("fixesConsent")),
      agreed() ? this.offered(found, sets, target) : null,
    ]);
  }

  offered(found, sets, target) {
    if (!found.length) return h("p", { class: "muted" }, t("fixesNone"));
    const wanted = found.filter(({ key }) => !this.off.has(key));
    return [
      h("ul", { class: "changes" }, found.map((fix) => h("li", { "data-fix": fix.tile }, h("label", { class: "check" },
        h("input", {
          type: "checkbox", checked: !this.off.has(fix.key), id: `fix-${fix.key}`,
          onchange: (event) => {
            if (event.target.checked) this.off.delete(fix.key);
            else this.off.add(fix.key);
            this.on.draw();
          },
        }),
        h("img", { src: fix.url, alt: "", width: 72, height: 72 }),
        h("span", {}, tileName(fix.tile), fix.was ? h("small", {}, t("fixesWas", { was: tileName(fix.was) })) : null))))),
      target ? h("div", { class: "choices" },
        h("label", { for: "fixes-set" }, t("fixesAddTo")),
        h("select", {
          id: "fixes-set", onchange: (event) => {
            this.chosen = event.target.value;
            this.on.draw();
          },
        }, sets.map((set) => h("option", { value: set.key, selected: set.key === target.key }, set.name))),
        h("button", {
          type: "button", class: "primary", id: "fixes-add", disabled: wanted.length === 0, onclick: () => this.add(target, wanted),
        }, t("fixesAdd", { n: wanted.length })),
        h("button", { type: "button", class: "quiet", id: "fixes-forget", onclick: () => forget(found.map(({ key }) => key)) }, t("fixesForget")))
        : h("p", { class: "muted" }, t("fixesNoSet")),
    ];
  }

  add(set, wanted) {
    const examples = wanted.map(({ tile, url, box }) => ({ tile, picture: url.split(",")[1], box }));
    this.on.onlearn(set, examples, wanted.map(({ key }) => key));
  }
}
