// This device's camera while a set is taught: look after look, each told what it shows.

import { newestOnly } from "./answers.js";

const LONGEST_SIDE = 1600;
const QUALITY = 0.92;
const PAUSE_MS = 250;

function letGo(media) {
  for (const track of media?.getTracks() ?? []) track.stop();
}

/** A camera that asks `look(blob)` about one picture after another until it is stopped. */
export class TeachCamera {
  /** @param {object} on look(blob) answers a look; onlook(look, blob); ontrouble(error); onend() */
  constructor(on) {
    this.on = on;
    this.media = null;
    this.video = null;
    // Stopped or started again meanwhile: a camera that is still being opened is no longer wanted.
    this.wanted = newestOnly();
  }

  get running() {
    return this.media !== null;
  }

  async start() {
    if (!navigator.mediaDevices?.getUserMedia) throw new Error("https?");
    this.stop();
    const isWanted = this.wanted();
    const media = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 1920 } }, audio: false,
    });
    const video = document.createElement("video");
    video.muted = true;
    video.playsInline = true;
    video.srcObject = media;
    try {
      if (isWanted()) await video.play();
    } finally {
      if (!isWanted() || video.paused) letGo(media);
    }
    if (!isWanted()) return;
    this.media = media;
    this.video = video;
    media.getVideoTracks()[0].addEventListener("ended", () => {
      if (this.media === media) this.stop();
    });
    this.run(media);
  }

  stop() {
    this.wanted();
    letGo(this.media);
    const ran = this.running;
    this.media = null;
    this.video = null;
    if (ran) this.on.onend();
  }

  /** The picture now, as a JPEG. */
  picture() {
    const { videoWidth: width, videoHeight: height } = this.video;
    const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height, 1));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d").drawImage(this.video, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  }

  async run(media) {
    while (this.media === media) {
      if (this.video.videoWidth && !document.hidden) {
        const blob = await this.picture();
        try {
          const found = blob && await this.on.look(blob);
          if (this.media !== media) return;
          if (found) this.on.onlook(found, blob);
        } catch (error) {
          if (this.media !== media) return;
          this.on.ontrouble(error);
        }
      }
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }
}
