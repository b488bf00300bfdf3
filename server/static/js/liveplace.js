// Placing the table: four corners dragged over the picture, the side of "me", saved by name.

import { newestOnly } from "./answers.js";
import { ApiError, forgetPlacement, getPlacement, guessPlacement, placeTable, unplaceTable } from "./api_place.js";
import { h, svg } from "./dom.js";
import { newestPicture } from "./livefeed.js";
import { goesRound, ring, tablePoint } from "./placegeometry.js";
import { say, t } from "./words.js";

const START = [[0.08, 0.96], [0.92, 0.96], [0.74, 0.14], [0.26, 0.14]];
const FIRST_VIEW = "seat";
// Room around the picture for corners that lie outside of it, in shares of the picture.
const LEAST_ROOM = 0.12;
const SPARE = 0.08;
const MOST = 1.5;
const STEP = 0.005;
const FAST = 6;
// What lies where on a table, in half sides from its middle: ponds, the wall, the hands.
const RINGS = [0.6, 0.8];
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const percent = (share) => Math.round(100 * share);

export class PlaceEditor {
  /**
   * @param {object} ask root (an element), size() the {width, height} of the picture, onclose(text)
   *   with what was done or null
   */
  constructor({ root, size, onclose }) {
    Object.assign(this, { root, size, onclose });
    this.shown = false;
    this.asked = newestOnly();
  }

  /** Begin from the placement in force, else from a guess, else from a usual table. */
  async open() {
    const answer = await getPlacement();
    const now = answer.current ?? (await guessPlacement()).guess;
    this.saved = answer.saved;
    this.take(now ?? { corners: START, me: 0, view: FIRST_VIEW });
    const named = answer.saved.some((one) => one.name === now?.name);
    this.name = named ? now.name : t("placeNameFirst");
    this.said = null;
    this.url = await newestPicture();
    // The camera may have been stopped meanwhile.
    if (!this.size()) {
      URL.revokeObjectURL(this.url);
      return;
    }
    this.shown = true;
    this.draw();
  }

  take({ corners, me, view }) {
    this.corners = corners.map((corner) => [...corner]);
    this.me = me;
    this.view = view;
    const out = Math.max(0, ...this.corners.flat().map((value) => Math.max(-value, value - 1)));
    this.room = Math.min(Math.max(out + SPARE, LEAST_ROOM), MOST);
  }

  close(done = null) {
    this.shown = false;
    this.asked();
    URL.revokeObjectURL(this.url);
    this.root.replaceChildren();
    this.onclose(done);
  }

  tell(text) {
    this.said = text;
    const node = this.root.querySelector(".place-said");
    if (node) node.textContent = text ?? "";
  }

  /** Ask with `work()`, then do what `done(answer)` says, unless something else is asked meanwhile. */
  async attempt(work, done) {
    const isNewest = this.asked();
    try {
      const answer = await work();
      if (isNewest()) done(answer);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isNewest()) this.tell(say(error));
    }
  }

  save() {
    if (!goesRound(this.corners)) return this.tell(t("placeCross"));
    const name = this.name.trim();
    return this.attempt(() => placeTable({ name, view: this.view, corners: this.corners, me: this.me }),
      () => this.close(t("placeDone", { name })));
  }

  guess() {
    return this.attempt(guessPlacement, ({ guess }) => {
      if (guess) this.take(guess);
      this.said = t(guess ? "placeGuessed" : "placeNoGuess");
      this.draw();
    });
  }

  /** A share of the picture to a share of the editor, which has room around the picture. */
  inside(value) {
    return (value + this.room) / (1 + 2 * this.room);
  }

  move(corner, x, y) {
    const far = (value) => Math.min(1 + this.room, Math.max(-this.room, value));
    this.corners[corner] = [far(x), far(y)];
    this.position();
  }

  dot(corner) {
    const dot = h("button", { type: "button", class: "place-dot", "data-corner": corner }, String(corner + 1));
    dot.addEventListener("pointerdown", (event) => {
      dot.setPointerCapture(event.pointerId);
      event.preventDefault();
      dot.focus({ preventScroll: true });
    });
    dot.addEventListener("pointermove", (event) => {
      if (!dot.hasPointerCapture(event.pointerId)) return;
      const box = this.stage.getBoundingClientRect();
      const share = (at, from, size) => ((at - from) / size) * (1 + 2 * this.room) - this.room;
      this.move(corner, share(event.clientX, box.left, box.width), share(event.clientY, box.top, box.height));
    });
    dot.addEventListener("keydown", (event) => {
      const step = KEYS[event.key];
      if (!step) return;
      event.preventDefault();
      const far = STEP * (event.shiftKey ? FAST : 1);
      const [x, y] = this.corners[corner];
      this.move(corner, x + far * step[0], y + far * step[1]);
    });
    return dot;
  }

  side(number) {
    return h("button", {
      type: "button", class: "place-side", "data-side": number,
      onclick: () => {
        this.me = number;
        this.position();
      },
    });
  }

  /** Everything over the picture where it belongs now. */
  position() {
    const at = ([x, y]) => [100 * this.inside(x), 100 * this.inside(y)];
    const put = (node, point) => {
      const [x, y] = at(point);
      node.style.left = `${x}%`;
      node.style.top = `${y}%`;
    };
    const round = goesRound(this.corners);
    this.corners.forEach((corner, k) => {
      put(this.dots[k], corner);
      this.dots[k].setAttribute("aria-label", t("placeCorner", { n: k + 1, x: percent(corner[0]), y: percent(corner[1]) }));
    });
    const middle = round ? tablePoint(this.corners) : null;
    const mids = [[0, -0.9], [0.9, 0], [0, 0.9], [-0.9, 0]];
    this.sides.forEach((side, k) => {
      side.hidden = !middle;
      if (!middle) return;
      put(side, middle(...mids[k]));
      const seat = (k - this.me + 4) % 4;
      side.textContent = t(`seat${seat}`);
      side.setAttribute("aria-pressed", String(seat === 0));
      side.setAttribute("aria-label", seat === 0 ? t("placeMine") : t("placeSide", { name: t(`seat${seat}`) }));
    });
    const points = (corners) => corners.map((corner) => at(corner).join(",")).join(" ");
    this.outline.setAttribute("points", points(this.corners));
    this.outline.classList.toggle("crossed", !round);
    this.rings.forEach((one, k) => one.setAttribute("points", round ? points(ring(this.corners, RINGS[k])) : ""));
    if (this.said === t("placeCross") || !round) this.tell(round ? null : t("placeCross"));
  }

  picture() {
    const { width, height } = this.size();
    const shot = h("img", { src: this.url, alt: t("livePicture"), class: "place-picture", width, height });
    shot.style.inset = `${100 * this.inside(0)}%`;
    shot.style.width = `${100 / (1 + 2 * this.room)}%`;
    shot.style.height = `${100 / (1 + 2 * this.room)}%`;
    this.dots = [0, 1, 2, 3].map((k) => this.dot(k));
    this.sides = [0, 1, 2, 3].map((k) => this.side(k));
    this.outline = svg("polygon", { class: "place-outline" });
    this.rings = RINGS.map(() => svg("polygon", { class: "place-ring" }));
    this.stage = h("div", { class: "place-stage", role: "group", "aria-label": t("placeTitle") }, shot,
      svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, this.rings, this.outline),
      this.sides, this.dots);
    this.stage.style.aspectRatio = `${width} / ${height}`;
    return this.stage;
  }

  savedView() {
    if (!this.saved.length) return null;
    const one = (placement) => h("li", { class: "choices" },
      h("button", {
        type: "button", class: "quiet", "data-saved": placement.name,
        onclick: () => this.attempt(() => placeTable({ name: placement.name }),
          () => this.close(t("placeDone", { name: placement.name }))),
      }, placement.name),
      h("button", {
        type: "button", class: "quiet danger", "data-forget": placement.name, "aria-label": t("placeForget", { name: placement.name }),
        onclick: () => this.attempt(() => forgetPlacement(placement.name), ({ saved }) => {
          this.saved = saved;
          this.draw();
        }),
      }, "×"));
    return h("div", { class: "place-saved" }, h("h3", {}, t("placeSaved")), h("ul", {}, this.saved.map(one)));
  }

  draw() {
    const view = (name, label) => h("label", { class: "radio" }, h("input", {
      type: "radio", name: "place-view", value: name, checked: this.view === name,
      onchange: () => {
        this.view = name;
      },
    }), t(label));
    const button = (id, label, run, kind = "quiet") =>
      h("button", { type: "button", class: kind, id, onclick: run }, t(label));
    this.root.replaceChildren(
      h("h3", {}, t("placeTitle")), h("p", { class: "muted" }, t("placeHelp")), this.picture(),
      h("p", { class: "status place-said", role: "status" }, this.said ?? ""),
      h("fieldset", { class: "presets" }, h("legend", {}, t("placeView")), view("seat", "placeSeat"), view("overhead", "placeOverhead")),
      h("label", { class: "place-name" }, h("span", {}, t("placeName")), h("input", {
        type: "text", id: "place-name", maxlength: 60, value: this.name, autocomplete: "off",
        oninput: (event) => {
          this.name = event.target.value;
        },
      })),
      h("div", { class: "sources" },
        button("place-save", "placeSave", () => this.save(), "primary"), button("place-guess", "placeGuess", () => this.guess()),
        button("place-none", "placeNone", () => this.attempt(unplaceTable, () => this.close())),
        button("place-cancel", "placeCancel", () => this.close())),
      this.savedView() ?? "");
    this.position();
  }
}
