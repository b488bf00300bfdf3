// The views of the page, one for each address: #score, #live, #opening, #sheet, #tiles, #learn.

import { byId, h } from "./dom.js";
import { say, t } from "./words.js";

// A view other than the desk is loaded when it is first looked at.
const LOADERS = {
  score: null,
  live: () => import("./live.js"),
  opening: () => import("./opening.js"),
  sheet: () => import("./sheet.js"),
  tiles: () => import("./mytiles.js"),
  learn: () => import("./learn.js"),
};
const FIRST = "score";
const loaded = {};

let current = null;

const nameOf = (hash) => {
  const name = hash.slice(1).split("/")[0];
  return name in LOADERS ? name : null;
};

/** The view that is looked at. */
export const currentView = () => current;

/** Go to a view by its name; what stands behind a slash is the view's own affair. */
export function goTo(address) {
  location.hash = `#${address}`;
}

async function show(name) {
  current = name;
  for (const one of Object.keys(LOADERS)) byId(`view-${one}`).hidden = one !== name;
  for (const link of byId("views").querySelectorAll("a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  drawTitle();
  if (!LOADERS[name]) return;
  try {
    loaded[name] ??= await LOADERS[name]();
  } catch {
    const sorry = say({
      zh: "这一页打不开。请看捉伍程序是否还在运行，再刷新。",
      en: "This view cannot be opened. Check that Zhuowu is still running, then reload.",
    });
    byId(`view-${name}`).replaceChildren(h("p", { class: "notice", role: "alert" }, sorry));
    return;
  }
  if (current === name) await loaded[name].show(byId(`view-${name}`), location.hash.slice(1));
}

function drawTitle() {
  byId(`view-${current}`).setAttribute("aria-label", t(`view_${current}`));
  document.title = current === FIRST ? t("title") : `${t(`view_${current}`)} · 捉伍 Zhuowu`;
}

/** Say the view that is looked at anew, after the language has changed. */
export function drawView() {
  if (current === null) return;
  drawTitle();
  loaded[current]?.show(byId(`view-${current}`), location.hash.slice(1));
}

/** Follow the address. An address that is no view's, such as a place on the page, changes nothing. */
export function connectViews() {
  show(nameOf(location.hash) ?? FIRST);
  addEventListener("hashchange", () => {
    const name = nameOf(location.hash);
    if (name === null && location.hash.length > 1) return;
    const moved = (name ?? FIRST) !== current;
    show(name ?? FIRST);
    if (!moved) return;
    scrollTo(0, 0);
    byId(`view-${current}`).focus({ preventScroll: true });
  });
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId(current === FIRST ? "answer" : `view-${current}`).focus();
  });
}
