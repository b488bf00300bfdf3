// The rule options in force on this page: chosen here, remembered by the browser.

import { byId } from "./dom.js";
import { recall, remember } from "./memory.js";
import { drawRules } from "./rulesview.js";

let about = null;
let options = {};
const heard = [];

export const rulesInForce = () => options;

/** Call `listener()` whenever an option has changed. */
export const onrules = (listener) => heard.push(listener);

/** Whether a remembered option value is one the rules still take. */
function allowed(name, value) {
  const { values, least } = about.options.find((option) => option.name === name);
  if (values.length) return values.some((one) => one.value === value);
  return Number.isInteger(value) && value >= least;
}

/** Take what /api/options answers, and what the browser remembers of it. */
export function takeRules(answer) {
  about = answer;
  const saved = recall("options", {});
  options = Object.fromEntries(Object.entries(about.start)
    .map(([name, value]) => [name, allowed(name, saved[name]) ? saved[name] : value]));
}

export function drawRuleOptions() {
  if (!about) return;
  drawRules(byId("rules-body"), about, options, {
    onpreset: (name) => setOptions(about.presets.find((preset) => preset.name === name).values),
    onoption: (name, value) => setOptions({ ...options, [name]: value }),
  });
}

function setOptions(next) {
  options = { ...next };
  remember("options", options);
  drawRuleOptions();
  for (const listener of heard) listener();
}
