// The form that starts a camera, an address or a film, and how a phone joins.

import { h } from "./dom.js";
import { t } from "./words.js";

/** How a phone joins, where other devices are let in at all. */
const phoneView = ({ address, secure, qr }) => h("div", { class: "live-phone" },
  h("h3", {}, t("phoneTitle")),
  h("p", {}, t("phoneHelp")),
  qr ? h("img", { src: qr, alt: t("phoneQr"), width: 200, height: 200 }) : null,
  h("p", {}, h("code", {}, address)),
  h("p", { class: "muted" }, t(secure ? "phoneWarning" : "phonePhotos")));

/**
 * @param {object} choices cameras ({number, name}), placements (names), lan (how a phone joins, or null)
 * @param {object} on source (what has been typed), ontyped(source), onstart({source, placement}),
 *   onbrowser(placement)
 */
export function startForm({ cameras, placements, lan }, { source, ontyped, onstart, onbrowser }) {
  const field = h("input", {
    type: "text", id: "live-source", value: source, list: "live-cameras", autocomplete: "off",
    oninput: (event) => ontyped(event.target.value),
  });
  const where = h("select", { id: "live-placement" }, h("option", { value: "" }, t("noPlacement")),
    placements.map((name) => h("option", { value: name }, name)));
  const placement = () => where.value || null;
  const submit = (event) => {
    event.preventDefault();
    const typed = field.value.trim();
    if (typed) onstart({ source: typed, placement: placement() });
    else field.focus();
  };
  // What most people want comes first; it has to be said where the table lies before either is started.
  return h("form", { class: "live-form", onsubmit: submit },
    placements.length ? [h("label", { for: "live-placement" }, t("placementLabel")), where] : null,
    h("div", {}, h("button", { type: "button", class: "primary", id: "live-browser", onclick: () => onbrowser(placement()) }, t("useThisCamera"))),
    h("label", { for: "live-source" }, t("sourceLabel")),
    h("div", { class: "live-source" }, field, h("button", { type: "submit", id: "live-start" }, t("start"))),
    h("datalist", { id: "live-cameras" }, cameras.map((one) => h("option", { value: String(one.number) }, one.name))),
    h("p", { class: "muted" }, t("startHelp")),
    lan?.address ? phoneView(lan) : null);
}
