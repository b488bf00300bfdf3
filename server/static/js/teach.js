// Teaching a set: photos or the camera, names confirmed by tapping, learning, before and after.

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
    this.camera = new TeachCamera({
      look: (blob) => this.attempt(async () => api.look(await this.id(), blob, this.state)),
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

  async id(addTo = null) {
    if (!this.state.bench) this.state.bench = await api.beginTeaching(addTo);
    return this.state.bench.id;
  }

  /** Do something with the server; a calibration that it has forgotten begins anew. */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.code === "no_calibration") this.clear();
      throw error;
    }
  }

  /** Do something, say what is refused, and take the status that is answered. */
  async step(busy, work) {
    this.set({ busy, error: null, said: null });
    try {
      const bench = await this.attempt(work);
      this.set({ bench: bench ?? this.state.bench, busy: null });
      return true;
    } catch (error) {
      this.set({ busy: null });
      if (!(error instanceof ApiError)) throw error;
      this.set({ error });
      return false;
    }
  }

  clear() {
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
    if (!bench) return;
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

  async begin(set) {
    await this.giveUp();
    if (await this.step(null, () => api.beginTeaching(set.key))) this.jump();
  }

  async refit(set) {
    await this.begin(set);
    if (this.state.bench) await this.learn();
  }

  /** Let a set learn corrections; `onkept()` is called once they are stored with it. */
  async correct(set, examples, onkept) {
    await this.begin(set);
    if (!this.state.bench) return;
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
    const shown = await showable(blob);
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
      const bench = await api.dropPhoto(this.state.bench.id, number);
      URL.revokeObjectURL(this.pictures.get(number)?.url);
      this.pictures.delete(number);
      return bench;
    });
  }

  /** Ask what one tile of a photo is. */
  choose(photo, at) {
    const tile = photo.tiles[at];
    const put = (code) => this.step(null, () => {
      const names = photo.tiles.map((one, k) => (k === at ? code : one.tile));
      return api.nameTiles(this.state.bench.id, photo.number, names);
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

  takeLook(found, blob) {
    this.looked = blob;
    this.set({ looked: found, trouble: null });
    const all = found.missing.length === 0 && !this.state.others;
    this.complete = all && found.tiles.length ? this.complete + 1 : 0;
    if (this.complete >= LOOKS_TO_BE_SURE) this.takePicture();
  }

  /** Take the picture that was looked at last, so that what was shown is what is taken. */
  async takePicture() {
    const blob = this.looked ?? await this.camera.picture();
    this.looked = null;
    this.complete = 0;
    const whole = this.state.looked?.missing.length === 0 || this.state.others;
    if (whole) this.camera.stop();
    await this.addPhoto(blob);
  }

  // Learning

  async learn() {
    const { bench, insist } = this.state;
    this.camera.stop();
    const started = await this.step(null, () => api.learn(bench.id, insist));
    while (started && this.learning && this.state.bench.id === bench.id) {
      await new Promise((done) => setTimeout(done, POLL_MS));
      try {
        const now = await this.attempt(() => api.teaching(bench.id));
        if (this.state.bench?.id !== bench.id) return;
        this.set({ bench: now, error: null });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.set({ error });
      }
    }
    this.on.node().querySelector("#teach-outcome")?.focus();
  }

  async store() {
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
