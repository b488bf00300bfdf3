// Who pays whom: the gain of each, what goes from whom to whom, and who deals next.

import { h } from "./dom.js";
import { currentLanguage, say, t } from "./words.js";

export const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

export const signClass = (points) => (points > 0 ? "gain" : points < 0 ? "loss" : "even");

/** What each pair owes: payments of both directions set off against one another. */
function pairs(account) {
  const owed = new Map();
  for (const { payer, payee, points, multiplier, reason } of account.payments) {
    const [low, high] = [Math.min(payer, payee), Math.max(payer, payee)];
    const key = low * 4 + high;
    const one = owed.get(key) ?? { low, high, net: 0, why: [] };
    one.net += payee === low ? points : -points;
    one.why.push({ points: payee === low ? points : -points, multiplier, reason });
    owed.set(key, one);
  }
  return [...owed.values()].filter((one) => one.net !== 0).map(({ low, high, net, why }) => ({
    payer: net > 0 ? high : low, payee: net > 0 ? low : high, points: Math.abs(net), why, turn: net > 0 ? 1 : -1,
  }));
}

function reasonText({ points, multiplier, reason }, turn, alone) {
  const by = multiplier > 1 ? ` ×${multiplier}` : "";
  return `${say(reason)}${by}${alone ? "" : ` ${signed(points * turn)}`}`;
}

/** The account of a hand, as /api/settle and the ledger answer it. */
export function payments(account, players, dealer) {
  if (account.restart) return h("p", {}, t("restartHand", { name: players[dealer] }));
  const lines = pairs(account);
  const stays = account.next_dealer === dealer;
  return h("div", { class: "payments" },
    h("table", { class: "deltas" },
      h("caption", { class: "unseen" }, t("eachGains")),
      h("thead", {}, h("tr", {}, players.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, h("tr", {}, account.deltas.map((points, seat) =>
        h("td", { class: signClass(points), "data-delta": seat }, signed(points)))))),
    lines.length ? h("table", { class: "owed" },
      h("caption", { class: "unseen" }, t("whoPays")),
      h("tbody", {}, lines.map(({ payer, payee, points, why, turn }) => h("tr", {},
        h("th", { scope: "row" }, t("paysTo", { payer: players[payer], payee: players[payee] })),
        h("td", { class: "points" }, String(points)),
        h("td", { class: "muted" },
          why.map((one) => reasonText(one, turn, why.length === 1)).join(currentLanguage() === "zh" ? "；" : "; ")))))) : h("p", {}, t("nobodyPays")),
    h("p", { class: "next-dealer", "data-next-dealer": account.next_dealer },
      t(stays ? "dealerStays" : "dealerPasses", { name: players[account.next_dealer] })));
}
