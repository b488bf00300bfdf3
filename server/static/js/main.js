// The page: its views, its language and its colours.

import { ApiError, getOptions, getSamples } from "./api.js";
import { connectDesk, drawDeskWords, openDesk, sayStatus } from "./desk.js";
import { connectExtras, drawExtras } from "./deskextras.js";
import { byId } from "./dom.js";
import { loadSheet } from "./ledger.js";
import { connectLiveRules } from "./liverules.js";
import { recall, remember } from "./memory.js";
import { drawRuleOptions, takeRules } from "./ruleoptions.js";
import { connectViews, currentView, drawView } from "./views.js";
import { currentLanguage, setLanguage, t } from "./words.js";

function reveal(hidden) {
  document.documentElement.classList.remove(hidden);
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function drawWords() {
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  byId("views").setAttribute("aria-label", t("views"));
  const dark = isDark();
  byId("theme").textContent = dark ? "☀" : "☾";
  byId("theme").setAttribute("aria-label", t(dark ? "themeLight" : "themeDark"));
  byId("theme").title = t(dark ? "themeLight" : "themeDark");
  byId("language").lang = currentLanguage() === "zh" ? "en" : "zh-CN";
  drawRuleOptions();
  drawDeskWords();
  drawExtras();
  drawView();
}

function connect() {
  connectDesk();
  connectExtras();
  connectLiveRules();
  connectViews();
  byId("language").addEventListener("click", () => {
    setLanguage(currentLanguage() === "zh" ? "en" : "zh");
    remember("language", currentLanguage());
    drawWords();
  });
  byId("theme").addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    remember("theme", theme);
    drawWords();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawWords);
}

async function start() {
  setLanguage(recall("language", document.documentElement.dataset.startLanguage));
  connect();
  drawWords();
  sayStatus({ key: "starting" });
  let samples = [];
  try {
    const [about, found] = await Promise.all([getOptions(), getSamples()]);
    takeRules(about);
    samples = found.samples;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    reveal("starting");
    sayStatus({ error });
    return;
  }
  sayStatus(null);
  drawWords();
  reveal("starting");
  loadSheet();
  // The address with #by-hand is for those who always lay their tiles themselves; and who comes for
  // another view is playing, and needs no sample.
  await openDesk(samples, location.hash === "#by-hand" || currentView() !== "score");
}

start();
