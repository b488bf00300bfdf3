// This device's camera as the table's: frames are sent to Zhuowu and to nowhere else.

import { newestOnly } from "./answers.js";
import { ApiError, pushFrame } from "./api.js";

const SEND_MS = 200;
// A webcam's width: at 960 pixels a tile of a far pond is 18 high, and read as another.
const LONGEST_SIDE = 1920;
const QUALITY = 0.85;

let running = null;
// Started again or stopped meanwhile: a camera that is still being opened is no longer wanted.
const wanted = newestOnly();

export const isSending = () => running !== null;

/**
 * Open the camera, then call `begin()`, then send pictures until it is stopped.
 *
 * @param {function} ontrouble called with an ApiError for pictures that do not arrive, with null
 *   once they do again, and with "stopped" when the camera went away.
 */
export async function sendCamera(begin, ontrouble) {
  if (!navigator.mediaDevices?.getUserMedia) throw new Error("https?");
  const isWanted = wanted();
  const media = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: LONGEST_SIDE } }, audio: false,
  });
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.srcObject = media;
  try {
    if (isWanted()) await begin();
    if (isWanted()) await video.play();
  } catch (error) {
    letGo(media);
    throw error;
  }
  if (!isWanted()) {
    letGo(media);
    return;
  }
  letGo(running?.media);
  const mine = { media, video, canvas: document.createElement("canvas") };
  running = mine;
  media.getVideoTracks()[0].addEventListener("ended", () => {
    if (running !== mine) return;
    stopCamera();
    ontrouble("stopped");
  });
  send(mine, ontrouble);
}

function letGo(media) {
  for (const track of media?.getTracks() ?? []) track.stop();
}

export function stopCamera() {
  wanted();
  letGo(running?.media);
  running = null;
}

async function send(mine, ontrouble) {
  let troubled = false;
  while (running === mine) {
    const next = new Promise((done) => setTimeout(done, SEND_MS));
    const blob = await picture(mine);
    if (blob) {
      try {
        await pushFrame(blob);
        if (running !== mine) return;
        if (troubled) ontrouble(null);
        troubled = false;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // Stopped while the picture was on its way: what comes of it is nobody's trouble.
        if (running !== mine) return;
        troubled = true;
        // Another source was chosen elsewhere: this camera is no longer wanted.
        if (error.code === "not_a_browser_camera" || error.code === "no_source") {
          stopCamera();
        }
        ontrouble(error);
      }
    }
    await next;
  }
}

function picture({ video, canvas }) {
  const { videoWidth: width, videoHeight: height } = video;
  if (!width) return null;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}
