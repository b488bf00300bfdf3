// Who won, the 杠, 坐庄 and 拉庄 in a few taps; who pays whom; one more tap enters it.

import { newestOnly } from "./answers.js";
import { ApiError, correctHand, enterHand, freshKey, settle } from "./api.js";
import { h } from "./dom.js";
import { currentSheet, inLedgerOrder, openSheet, takeSheet } from "./ledger.js";
import { rulesInForce } from "./ruleoptions.js";
import { payments } from "./paymentview.js";
import { goTo } from "./views.js";
import { say, t } from "./words.js";

const NOBODY = null;
const MOST_GANGS = 4;
const KINDS = ["open", "concealed", "joker"];
const GANG_WORDS = { open: "gang_open", concealed: "gang_concealed", joker: "gangJoker" };

/** A hand's end that nothing is said of yet. */
function nothing() {
  return {
    winner: undefined, gangs: [0, 1, 2, 3].map(() => ({ open: 0, concealed: 0, joker: 0 })),
    zuo: false, la: [0, 0, 0, 0], chan: false, fan: null, dealer: 0, keep: false,
  };
}

export class Settle {
  /**
   * @param {object} desk root (an element), fan() the 番 of the hand or null, extras() what else
   *   goes on the sheet (title, reading), picture() a promise of a base64 picture or null when
   *   there is none to keep, id of the heading without -title, shown() whether it has its place now
   */
  constructor({ root, fan, extras, picture = null, id, shown = () => true }) {
    Object.assign(this, { root, fan, extras, picture, id, shown });
    this.line = null;
    this.ended = nothing();
    this.account = null;
    this.error = null;
    this.entered = null;
    this.key = freshKey();
    this.asking = null;
    this.busy = false;
    this.pending = false;
    this.begun = newestOnly();
  }

  get sheet() {
    // A 锅 that is over takes no further hand, but what was entered wrong can still be put right.
    return this.line ? openSheet() : currentSheet();
  }

  get players() {
    return this.sheet?.players
      ?? [0, 1, 2, 3].map((k) => t(["relDealer", "relNext", "relOpposite", "relBefore"][k]));
  }

  get dealer() {
    if (this.line) return this.line.result.dealer;
    return this.sheet ? this.sheet.dealer : 0;
  }

  get options() {
    return this.sheet ? this.sheet.options : rulesInForce();
  }

  /** The 番 that counts: the one typed, else the hand's. */
  get worth() {
    return this.ended.fan ?? this.fan();
  }

  /** The hand on the desk has changed: nothing of the last one holds. */
  restart() {
    this.begun();
    this.asking?.abort();
    this.pending = false;
    this.line = null;
    this.ended = nothing();
    this.account = null;
    this.error = null;
    this.entered = null;
    this.key = freshKey();
    this.draw();
  }

  /** Say anew how the hand of a line ended, beginning from what `result` says of it. */
  correct(line, result) {
    this.restart();
    const gangs = nothing().gangs;
    for (const { player, kind } of result.gangs) gangs[player][kind] += 1;
    const { winner, zuo, la, chan } = result;
    this.line = { number: line.number, result, title: line.title, reading: line.reading };
    this.ended = { ...this.ended, winner, gangs, zuo, la: [...la], chan, fan: winner === null ? null : result.fan };
    this.draw();
    this.ask();
  }

  /** The name and the tiles of the corrected hand stay its own while it is the same win. */
  kept() {
    const { result, title, reading } = this.line;
    const { winner, fan } = this.result();
    const same = winner === result.winner && fan === result.fan;
    return { ...(reading ? { reading } : {}), ...(same && title ? { title } : {}) };
  }

  change(next, focus) {
    // What is being entered stays as it is until the sheet has it.
    if (this.busy) return;
    this.ended = { ...this.ended, ...next };
    // Another content is another thing to enter.
    this.key = freshKey();
    this.entered = null;
    // What stands there is what each of us paid before the change.
    this.pending = true;
    this.draw();
    if (focus) this.root.querySelector(focus)?.focus({ preventScroll: true });
    this.ask();
  }

  result() {
    const { winner, gangs, zuo, la, chan } = this.ended;
    return {
      dealer: this.dealer,
      winner: winner ?? null,
      fan: winner === undefined || winner === NOBODY ? 0 : this.worth ?? 0,
      gangs: gangs.flatMap((kinds, player) =>
        KINDS.flatMap((kind) => Array(kinds[kind]).fill({ player, kind }))),
      zuo, la: zuo ? la : [0, 0, 0, 0], chan,
    };
  }

  async ask() {
    this.asking?.abort();
    this.account = null;
    this.error = null;
    this.pending = false;
    const { winner } = this.ended;
    if (winner === undefined || (winner !== NOBODY && this.worth === null)) {
      this.drawAccount();
      return;
    }
    this.pending = true;
    this.asking = new AbortController();
    const { signal } = this.asking;
    let [account, refusal] = [null, null];
    try {
      account = await settle({ ...this.result(), options: this.options }, signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof ApiError)) throw error;
      refusal = error;
    }
    if (signal.aborted) return;
    Object.assign(this, { account, error: refusal, pending: false });
    this.drawAccount();
  }

  /** Enter the hand. The same key is sent until an answer has come, so it is entered once. */
  async enter() {
    if (this.busy) return;
    this.busy = true;
    this.drawAccount();
    const isSameHand = this.begun();
    const { sheet, line } = this;
    try {
      const more = this.line ? this.kept() : this.extras();
      const hand = { ...this.result(), ...more, key: this.key, seen: sheet.lines.length };
      if (this.ended.keep && this.picture) {
        Object.assign(hand, { picture: await this.picture(), keep_picture: true });
      }
      const answer = await inLedgerOrder(() => (line
        ? correctHand(sheet.id, line.number, hand) : enterHand(sheet.id, hand)));
      // Another hand may lie on the desk by now; what is said of it stands.
      if (isSameHand()) {
        Object.assign(this, {
          line: null, entered: answer.number, ended: nothing(), account: null, key: freshKey(),
        });
      }
      takeSheet(answer.sheet);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.error = error;
    } finally {
      this.busy = false;
    }
    this.draw();
    this.root.querySelector("[data-entered]")?.focus({ preventScroll: true });
  }

  winnerView() {
    const button = (winner, label) => h("button", {
      type: "button", class: "quiet", "data-winner": winner ?? "none",
      "aria-pressed": String(this.ended.winner === winner),
      onclick: () => this.change({ winner }, `[data-winner="${winner ?? "none"}"]`),
    }, label);
    return h("div", { class: "step", role: "group", "aria-label": t("whoWon") },
      h("h3", {}, t("whoWon")),
      h("div", { class: "choices" },
        this.players.map((name, seat) => button(seat, name)), button(NOBODY, t("nobodyWon"))));
  }

  fanView() {
    const { winner, fan } = this.ended;
    if (this.fan() !== null || winner === undefined || winner === NOBODY) return null;
    return h("label", { class: "fan-field" }, t("howManyFan"), h("input", {
      type: "number", min: 1, max: 999, value: fan ?? "", inputmode: "numeric", "data-fan": "",
      onchange: (event) => {
        const typed = Number(event.target.value);
        this.change({ fan: Number.isInteger(typed) && typed > 0 ? Math.min(typed, 999) : null });
      },
    }));
  }

  gangsView() {
    const kinds = KINDS.filter((kind) => kind !== "joker" || this.options.joker_gang_points > 0);
    const count = (seat, kind) => {
      const now = this.ended.gangs[seat][kind];
      const name = this.players[seat];
      return h("td", {}, h("button", {
        type: "button", class: "quiet count-button", "data-gang": `${seat}-${kind}`,
        "aria-pressed": String(now > 0), "aria-label": t("gangsOf", { name, kind: t(GANG_WORDS[kind]), n: now }),
        onclick: () => {
          const gangs = this.ended.gangs.map((one, k) =>
            (k === seat ? { ...one, [kind]: (now + 1) % (MOST_GANGS + 1) } : one));
          this.change({ gangs }, `[data-gang="${seat}-${kind}"]`);
        },
      }, now ? String(now) : "＋"));
    };
    return h("div", { class: "step", role: "group", "aria-label": t("gangs") },
      h("h3", {}, t("gangs"), " ", h("span", { class: "muted" }, t("gangsHelp"))),
      h("table", { class: "gangs" },
        h("thead", {}, h("tr", {}, h("td", {}), this.players.map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, kinds.map((kind) => h("tr", {},
          h("th", { scope: "row" }, t(GANG_WORDS[kind])), [0, 1, 2, 3].map((seat) => count(seat, kind)))))));
  }

  dealerView() {
    const { zuo, la, chan } = this.ended;
    const most = this.options.max_la ?? 1;
    const pull = (seat) => h("button", {
      type: "button", class: "quiet", "data-la": seat, "aria-pressed": String(la[seat] > 0),
      onclick: () => this.change(
        { la: la.map((n, k) => (k === seat ? (n + 1) % (most + 1) : n)) }, `[data-la="${seat}"]`),
    }, t("pulls", { name: this.players[seat] }), la[seat] > 1 ? ` ×${la[seat]}` : "");
    return h("div", { class: "step", role: "group", "aria-label": t("dealerStakes") },
      h("h3", {}, t("dealerIs", { name: this.players[this.dealer] })),
      h("div", { class: "choices" },
        h("button", {
          type: "button", class: "quiet", "data-zuo": "", "aria-pressed": String(zuo),
          onclick: () => this.change({ zuo: !zuo }, "[data-zuo]"),
        }, t("zuo")),
        zuo ? [0, 1, 2, 3].filter((seat) => seat !== this.dealer).map(pull) : null,
        (this.options.chan ?? "none") !== "none" ? h("button", {
          type: "button", class: "quiet", "data-chan": "", "aria-pressed": String(chan),
          onclick: () => this.change({ chan: !chan }, "[data-chan]"),
        }, t("channed")) : null));
  }

  enterView() {
    if (!this.sheet) {
      return h("p", {}, t("noSheetYet"), " ",
        h("button", { type: "button", class: "quiet", onclick: () => goTo("sheet") }, t("beginSheet")));
    }
    return h("div", { class: "sources" },
      h("button", {
        type: "button", class: "button primary", "data-enter": "", disabled: this.busy || this.pending, onclick: () => this.enter(),
      }, t(this.line ? "correctEnter" : "enterHand")),
      this.picture && !this.line && this.ended.winner !== NOBODY ? h("label", { class: "check" }, h("input", {
        type: "checkbox", "data-keep": "", checked: this.ended.keep,
        onchange: (event) => {
          this.ended = { ...this.ended, keep: event.target.checked };
          this.key = freshKey();
        },
      }), t("keepPicture")) : null);
  }

  drawAccount() {
    const place = this.root.querySelector(".account");
    if (!place) return;
    const parts = [];
    if (this.error) parts.push(h("p", { class: "notice", role: "alert" }, say(this.error)));
    if (this.account) {
      parts.push(payments(this.account, this.players, this.dealer), this.enterView());
    }
    const { winner } = this.ended;
    if (winner !== undefined && winner !== NOBODY && this.worth === null) {
      parts.push(h("p", { class: "muted" }, t("fanFirst")));
    }
    if (this.entered !== null && !this.account && !this.error) {
      parts.push(h("p", { class: "entered", tabindex: "-1", "data-entered": "", role: "status" },
        t("entered", { n: this.entered, name: this.sheet ? this.players[this.dealer] : "" }), " ",
        this.id === "settle" ? h("a", { href: "#sheet" }, t("toSheet")) : null));
    }
    place.setAttribute("aria-busy", String(this.pending));
    place.replaceChildren(...parts);
  }

  draw() {
    this.root.hidden = !this.shown();
    if (this.root.hidden) return;
    this.root.replaceChildren(
      h("h2", { id: `${this.id}-title` }, t("settleTitle"),
        this.worth && this.fan() !== null && !this.line ? h("span", { class: "muted" }, ` ${t("fanCount", { n: this.worth })}`) : null),
      this.line ? h("p", { class: "notice correcting", "data-correcting": this.line.number },
        h("span", {}, t("correcting", { n: this.line.number })), " ",
        h("button", { type: "button", class: "quiet", "data-correct-cancel": "", onclick: () => this.restart() }, t("correctCancel"))) : "",
      this.winnerView(), this.fanView() ?? "", this.gangsView(), this.dealerView(),
      h("div", { class: "account", "aria-live": "polite" }));
    this.drawAccount();
  }
}
