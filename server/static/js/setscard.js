// The stored sets: which is used, what each one is, export, import, removal.

import { inOrder } from "./answers.js";
import { ApiError } from "./api.js";
import { fileOf, importSet, listSets, pictureOf, removeSet, useSet } from "./api_tiles.js";
import { h } from "./dom.js";
import { update } from "./redraw.js";
import { say, t } from "./words.js";

export const percent = (share) => `${(100 * share).toFixed(1)}%`;

export class SetsCard {
  /** @param {object} on draw(); onmore(set), onrefit(set) */
  constructor(on) {
    this.on = on;
    this.found = { use: "auto", sets: [] };
    this.error = null;
    this.said = null;
    this.open = {};
    this.clash = null;
    // What is chosen last is what is used, here and by the program.
    this.inOrder = inOrder();
  }

  list() {
    return this.found.sets;
  }

  /** The set in use for every photo, or null. */
  used() {
    return this.found.sets.find((set) => set.key === this.found.use) ?? null;
  }

  take(found) {
    this.found = found;
    this.error = null;
    this.on.draw();
  }

  load() {
    return this.attempt(listSets);
  }

  async attempt(work) {
    this.said = null;
    try {
      this.take(await this.inOrder(work));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.error = error;
    }
    this.on.draw();
  }

  async bringIn(file, replace = false) {
    this.clash = null;
    await this.attempt(() => importSet(file, replace));
    if (this.error?.code === "name_taken") this.clash = file;
    else if (!this.error) this.said = t("setImported");
    this.on.draw();
  }

  /** The sets without one; a second tap finds it gone and asks for nothing. */
  removed(key) {
    return this.found.sets.some((set) => set.key === key) ? removeSet(key) : this.found;
  }

  drawInto(node) {
    update(node, [this.found, this.error?.code, this.said, this.open, Boolean(this.clash)], () => [
      h("h2", { id: "tiles-sets-title" }, t("setsTitle")),
      this.found.sets.length ? this.choice() : h("p", {}, t("setsNone")),
      h("ul", { class: "sets" }, this.found.sets.map((set) => this.row(set))),
      h("div", { class: "sources" },
        h("label", { class: "button" }, h("input", {
          type: "file", id: "set-import", accept: ".zwset", onchange: (event) => {
            const [file] = event.target.files;
            event.target.value = "";
            if (file) this.bringIn(file);
          },
        }), h("span", {}, t("setImport"))),
        this.clash ? h("button", {
          type: "button", id: "set-replace", onclick: () => this.bringIn(this.clash, true),
        }, t("setReplace")) : null),
      h("p", { class: `status${this.error ? " wrong" : ""}`, role: "status" },
        this.error ? say(this.error) : this.said),
    ]);
  }

  choice() {
    const one = (value, label) => h("label", { class: "check" }, h("input", {
      type: "radio", name: "set-use", id: `use-${value}`, value, checked: this.found.use === value,
      onchange: () => this.attempt(() => useSet(value)),
    }), label);
    return h("fieldset", { class: "set-use" }, h("legend", { class: "muted" }, t("useWhich")),
      one("auto", t("useAuto")), this.found.sets.map((set) => one(set.key, t("useThis", { name: set.name }))),
      one("none", t("useNone")));
  }

  row(set) {
    const toggle = (what) => {
      this.open[set.key] = this.open[set.key] === what ? null : what;
      this.on.draw();
    };
    const button = (what, label, run, more = {}) => h("button", {
      type: "button", class: "quiet", id: `${what}-${set.key}`, onclick: run, ...more,
    }, label);
    const opened = this.open[set.key];
    const unfolds = (what) => ({ "aria-expanded": String(opened === what) });
    return h("li", { "data-set": set.name },
      h("div", { class: "set-head" },
        h("b", {}, set.name),
        h("span", { class: "muted" }, [
          t("setKinds", { n: set.kinds }), set.backs && t("setBacks"), set.dice && t("setDice", { n: set.dice }),
          set.consent && t("setOwn"),
        ].filter(Boolean).join(" · ")),
        h("span", { class: set.stale ? "set-note stale" : "set-note" }, this.note(set))),
      h("div", { class: "choices" },
        set.stale ? button("refit", t("setRefit"), () => this.on.onrefit(set)) : null,
        button("show", t("setShow"), () => toggle("show"), unfolds("show")),
        button("more", t("setMore"), () => this.on.onmore(set), { disabled: set.stale }),
        button("export", t("setExport"), () => toggle("export"), unfolds("export")),
        button("remove", t("setRemove"), () => toggle("remove"), { ...unfolds("remove"), class: "quiet danger" })),
      opened === "show" ? h("img", {
        class: "set-picture", src: pictureOf(set), alt: t("setPicture", { name: set.name }), width: 648, height: 384,
      }) : null,
      opened === "export" ? this.exporting(set) : null,
      opened === "remove" ? h("div", { class: "notice", role: "alert" },
        h("p", {}, t("setRemoveSure", { name: set.name })),
        h("div", { class: "choices" },
          h("button", {
            type: "button", class: "danger", id: `sure-${set.key}`, onclick: () => this.attempt(() => this.removed(set.key)),
          }, t("setRemoveYes")),
          h("button", { type: "button", class: "quiet", onclick: () => toggle("remove") }, t("cancel")))) : null);
  }

  note(set) {
    if (set.stale) return t("setStale");
    if (!set.helps) return t("setSuffices");
    return t("setHelps", { before: percent(set.figures.before), after: percent(set.figures.after) });
  }

  exporting(set) {
    const link = h("a", { class: "button", id: `file-${set.key}`, href: fileOf(set.key, false), download: `${set.name}.zwset` }, t("exportNow"));
    return h("div", { class: "set-export" },
      h("label", { class: "check" }, h("input", {
        type: "checkbox", id: `consent-${set.key}`, onchange: (event) => {
          link.href = fileOf(set.key, event.target.checked);
        },
      }), t("exportConsent")), link);
  }
}
