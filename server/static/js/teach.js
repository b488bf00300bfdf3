// Teaching a set: photos or the camera, names confirmed by tapping, learning, before and after.

import { inOrder, newestOnly, notTwice } from "./answers.js";
import { ApiError } from "./api.js";
import * as api from "./api_tiles.js";
import { openPicker } from "./picker.js";
import { showable } from "./photoview.js";
import { TeachCamera } from "./teachcamera.js";
import { drawTeach } from "./teachview.js";
import { t } from "./words.js";

const POLL_MS = 400;
const LOOKS_TO_BE_SURE = 2;
const EMPTY = {
  bench: null, guided: true, others: false, insist: false, name: "", replace: false,
  error: null, busy: null, said: null, looked: null, trouble: null,
  onkept: null,
};

export class Teach {
  /** @param {object} on draw(); node() the card; onstored(found) the sets as they are then */
  constructor(on) {
    this.on = on;
    this.state = { ...EMPTY };
    this.pictures = new Map();
    this.complete = 0;
    this.inOrder = inOrder();
    this.lives = newestOnly();
    this.isMine = this.lives();
    this.beginning = null;
    this.takePicture = notTwice(() => this.takeLooked());
    this.store = notTwice(() => this.storeLearnt());
    this.camera = new TeachCamera({
      look: (blob) => this.look(blob),
      onlook: (found, blob) => this.takeLook(found, blob),
      ontrouble: (error) => {
        if (!(error instanceof ApiError)) throw error;
        this.set({ trouble: error });
      },
      onend: () => this.set({ looked: null, trouble: null }),
    });
  }

  set(changes) {
    Object.assign(this.state, changes);
    this.on.draw();
  }

  drawInto(node) {
    drawTeach(node, this);
  }

  /** Whether something new can be given now. */
  get learning() {
    return this.state.bench?.learning?.state === "learning";
  }

  // The calibration of the server

  /** The calibration's name. One begins where there is none, and only one however many ask. */
  async id() {
    if (this.state.bench) return this.state.bench.id;
    this.beginning ??= this.open(null);
    return (await this.beginning).id;
  }

  /** Begin a calibration; what has been given up meanwhile is forgotten at once. */
  async open(addTo) {
    const { isMine } = this;
    try {
      const bench = await api.beginTeaching(addTo);
      if (isMine()) this.state.bench = bench;
      else this.forget(bench);
      return bench;
    } catch (error) {
      if (isMine()) this.beginning = null;
      throw error;
    }
  }

  /** Do something with the server; a calibration that it has forgotten begins anew. */
  async attempt(work) {
    const { isMine } = this;
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.code === "no_calibration" && isMine()) {
        this.clear();
        error.begunAnew = true;
      }
      throw error;
    }
  }

  /**
   * Do something once what was asked for before is done, say what is refused, and take the status
   * that is answered. Of a calibration that is given up meanwhile nothing is taken.
   */
  async step(busy, work) {
    const { isMine } = this;
    this.set({ busy, error: null, said: null });
    try {
      const bench = await this.inOrder(() => (isMine() ? this.attempt(work) : null));
      if (isMine()) this.set({ bench: bench ?? this.state.bench, busy: null });
      return isMine();
    } catch (error) {
      if (isMine()) this.set({ busy: null });
      if (!(error instanceof ApiError)) throw error;
      if (isMine() || error.begunAnew) this.set({ error });
      return false;
    }
  }

  clear() {
    this.isMine = this.lives();
    this.beginning = null;
    for (const picture of this.pictures.values()) URL.revokeObjectURL(picture.url);
    this.pictures.clear();
    this.state = { ...EMPTY };
  }

  /** Forget everything that is not stored. */
  async giveUp() {
    this.camera.stop();
    const { bench } = this.state;
    this.clear();
    this.on.draw();
    if (bench) await this.forget(bench);
  }

  async forget(bench) {
    try {
      await api.giveUp(bench.id);
    } catch (error) {
      // The program has forgotten it already, or cannot be reached and will forget it by itself.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  leave() {
    const { bench } = this.state;
    if (bench) fetch(`/api/calibration/${bench.id}`, { method: "DELETE", keepalive: true });
  }

  /** Begin with a stored set; false where that failed, or something else was begun meanwhile. */
  async begin(set) {
    const over = this.giveUp();
    const { isMine } = this;
    await over;
    if (!isMine() || !await this.step(null, () => this.open(set.key))) return false;
    this.jump();
    return true;
  }

  async refit(set) {
    if (await this.begin(set)) await this.learn();
  }

  /** Let a set learn corrections; `onkept()` is called once they are stored with it. */
  async correct(set, examples, onkept) {
    if (!await this.begin(set)) return;
    this.state.onkept = onkept;
    const { id } = this.state.bench;
    if (await this.step(t("teachReading"), () => api.addExamples(id, examples))) await this.learn();
  }

  jump() {
    this.on.node().scrollIntoView({ block: "start" });
    this.on.node().querySelector("h2")?.focus({ preventScroll: true });
  }

  // Photos

  async addFiles(files) {
    for (const file of files) {
      if (!await this.addPhoto(file)) return;
    }
  }

  async addPhoto(blob) {
    const { isMine } = this;
    const shown = await showable(blob);
    if (!isMine()) {
      if (shown) URL.revokeObjectURL(shown.url);
      return false;
    }
    return this.step(t("teachReading"), async () => {
      const id = await this.id();
      const bench = await api.addPhoto(id, blob, { ...this.state, preview: !shown });
      const { number } = bench.photos.at(-1);
      this.pictures.set(number, shown ?? { url: bench.preview });
      this.state.insist = false;
      return bench;
    });
  }

  dropPhoto(number) {
    return this.step(null, async () => {
      if (!this.photo(number)) return null;
      const bench = await api.dropPhoto(this.state.bench.id, number);
      URL.revokeObjectURL(this.pictures.get(number)?.url);
      this.pictures.delete(number);
      return bench;
    });
  }

  photo(number) {
    return this.state.bench.photos.find((photo) => photo.number === number);
  }

  /** Ask what one tile of a photo is. */
  choose({ number, tiles }, at) {
    const tile = tiles[at];
    const put = (code) => this.step(null, () => {
      // Other tiles may have been named since this one was tapped.
      const names = this.photo(number)?.tiles.map((one, k) => (k === at ? code : one.tile));
      return names ? api.nameTiles(this.state.bench.id, number, names) : null;
    });
    openPicker({
      title: t("teachWhich"), jokers: [], chosen: tile.tile, faceDown: true, dice: true,
      likely: tile.alternatives.filter(([, share]) => share >= 0.01),
      actions: [{ group: "", items: [{ label: t("teachIgnore"), danger: true, run: () => put(null) }] }],
      onpick: put,
    });
  }

  // The camera

  async startCamera() {
    this.complete = 0;
    this.set({ error: null, said: null, trouble: null, looked: null });
    try {
      await this.camera.start();
    } catch (error) {
      const why = error.name === "Error" ? error.message : error.name;
      const text = t("cameraRefused", { why });
      this.set({ error: { zh: text, en: text } });
    }
    this.on.draw();
  }

  /** Look at a picture; what has been found of another kind than is asked for by then is nothing. */
  async look(blob) {
    const { others, guided } = this.state;
    const found = await this.attempt(async () => api.look(await this.id(), blob, { others, guided }));
    return this.state.others === others && this.state.guided === guided ? found : null;
  }

  takeLook(found, blob) {
    this.looked = blob;
    this.set({ looked: found, trouble: null });
    const all = found.missing.length === 0 && !this.state.others;
    this.complete = all && found.tiles.length ? this.complete + 1 : 0;
    if (this.complete >= LOOKS_TO_BE_SURE) this.takePicture();
  }

  /** Take the picture that was looked at last, so that what was shown is what is taken. */
  async takeLooked() {
    if (!this.camera.running) return;
    const blob = this.looked ?? await this.camera.picture();
    this.looked = null;
    this.complete = 0;
    const whole = this.state.looked?.missing.length === 0 || this.state.others;
    if (whole) this.camera.stop();
    await this.addPhoto(blob);
  }

  // Learning

  async learn() {
    const { state: { bench: { id }, insist }, isMine } = this;
    let begun = false;
    this.camera.stop();
    await this.step(null, () => {
      if (this.learning) return null;
      begun = true;
      return api.learn(id, insist);
    });
    while (begun && isMine() && this.learning) await this.follow(id);
    if (isMine()) this.on.node().querySelector("#teach-outcome")?.focus();
  }

  /** How far the learning is, after a moment. */
  async follow(id) {
    const { isMine } = this;
    await new Promise((done) => setTimeout(done, POLL_MS));
    if (!isMine()) return;
    try {
      const bench = await this.attempt(() => api.teaching(id));
      if (isMine()) this.set({ bench, error: null });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isMine() || error.begunAnew) this.set({ error });
    }
  }

  async storeLearnt() {
    const { bench, name, replace } = this.state;
    const called = bench.add_to?.name ?? name.trim();
    let found = null;
    const stored = await this.step(null, async () => {
      found = await api.keep(bench.id, called, replace);
      return null;
    });
    if (!stored) return;
    const { onkept } = this.state;
    this.clear();
    onkept?.();
    this.set({ said: t("teachKept", { name: called }) });
    this.on.onstored(found);
  }
}
