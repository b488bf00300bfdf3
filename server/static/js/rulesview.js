// The rule options: a preset, the few that matter most, and the rest behind one fold.

import { h } from "./dom.js";
import { currentLanguage, say, t } from "./words.js";

function selectFor(option, value, onchange) {
  const numbers = option.values.length === 0;
  const values = numbers ? [] : option.values;
  const id = `option-${option.name}`;
  const control = numbers
    ? h("input", {
      type: "number", id, min: option.least, max: 99, step: 1, value, inputmode: "numeric",
      "aria-describedby": `${id}-help`,
      onchange: (event) => {
        const typed = Number(event.target.value);
        const whole = Number.isInteger(typed) && event.target.value !== "";
        const number = whole ? Math.min(Math.max(typed, option.least), 99) : value;
        event.target.value = number;
        onchange(option.name, number);
      },
    })
    : h("select", {
      id, "aria-describedby": `${id}-help`,
      onchange: (event) => onchange(option.name, values[event.target.selectedIndex].value),
    }, values.map((one) => h("option", { selected: one.value === value }, say(one))));
  return h("div", { class: "option" },
    h("label", { for: id }, say(option)), control,
    h("p", { class: "muted", id: `${id}-help` }, say(option.help)));
}

/** The preset whose values are all in force, or null. */
export function presetOf(about, values) {
  return about.presets.find((preset) =>
    Object.keys(preset.values).every((name) => preset.values[name] === values[name]))?.name ?? null;
}

/**
 * Draw the options into `root`.
 *
 * @param {object} about answer of /api/options
 * @param {object} values option values in force
 * @param {object} handlers onpreset(name), onoption(name, value)
 */
export function drawRules(root, about, values, { onpreset, onoption }) {
  const chosen = presetOf(about, values);
  const open = root.querySelector("details")?.open ?? false;
  const focus = root.contains(document.activeElement) ? document.activeElement.id : null;
  const part = (main) => about.options.filter((option) => option.main === main)
    .map((option) => selectFor(option, values[option.name], onoption));
  root.replaceChildren(
    h("fieldset", { class: "presets" }, h("legend", {}, t("preset")),
      about.presets.map((preset) => h("label", { class: "radio" },
        h("input", {
          type: "radio", name: "preset", id: `preset-${preset.name}`, checked: preset.name === chosen,
          onchange: () => onpreset(preset.name),
        }), say(preset))),
      chosen === null ? h("span", { class: "muted" }, t("customRules")) : null),
    h("div", { class: "options" }, part(true)),
    h("details", { open }, h("summary", {}, t("moreRules")), h("div", { class: "options" }, part(false))),
  );
  root.lang = currentLanguage() === "zh" ? "zh-CN" : "en";
  if (focus) root.querySelector(`#${focus}`)?.focus();
}

/** The circumstances of this hand, beside the tiles. */
export function circumstances(flags, onflag) {
  return h("fieldset", { class: "flags" }, h("legend", {}, t("circumstances")),
    Object.keys(flags).map((name) => h("label", { class: "check" },
      h("input", {
        type: "checkbox", id: `flag-${name}`, checked: flags[name],
        onchange: (event) => onflag(name, event.target.checked),
      }), t(name))));
}
