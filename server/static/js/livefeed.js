// What the server sees, as it changes, and the newest picture; kept only while it is looked at.

import { getFile } from "./api.js";

const PICTURE_MS = 250;
const IDLE_MS = 1500;
const CHECK_MS = 2000;
const PATIENCE_MS = 5000;

/** The newest picture as an address of this page's own; whoever asks lets go of it. */
export async function newestPicture() {
  return URL.createObjectURL(await getFile("/api/live/frame.jpg"));
}

/** A feed with `open(ondata, onpicture)` and `close()`; `ondata(message, connected)`. */
export function makeFeed() {
  let stream = null;
  let message = null;
  let timer = null;
  let shown = null;
  let url = null;
  let heard = null;
  let checking = null;
  let cut = false;

  const tell = (connected) => heard.ondata(message, connected);

  /**
   * Ask until the program answers. A network that is cut leaves a stream silent, not closed; and a
   * browser without a network may still reach a program on its own machine.
   */
  async function check() {
    clearTimeout(checking);
    checking = null;
    const mine = stream;
    if (!mine) return;
    try {
      const answer = await fetch("/api/status", { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (!answer.ok) throw new Error(answer.status);
    } catch {
      if (mine !== stream) return;
      tell(false);
      checking = setTimeout(check, CHECK_MS);
      cut = true;
      return;
    }
    if (cut && mine === stream) {
      const { ondata, onpicture } = heard;
      feed.close();
      feed.open(ondata, onpicture);
    }
  }

  async function picture() {
    const mine = stream;
    let wait = IDLE_MS;
    try {
      const session = message?.session;
      if (session && !document.hidden) {
        const answer = await fetch("/api/live/frame.jpg", { signal: AbortSignal.timeout(PATIENCE_MS) });
        const tag = answer.headers.get("ETag");
        if (answer.ok && tag !== shown) {
          const fresh = URL.createObjectURL(await answer.blob());
          if (mine !== stream) return URL.revokeObjectURL(fresh);
          shown = tag;
          heard.onpicture(fresh);
          if (url) URL.revokeObjectURL(url);
          url = fresh;
        }
        if (session.source.state === "live") wait = PICTURE_MS;
      }
    } catch {
      if (mine === stream && checking === null) check();
    }
    if (mine === stream && stream) timer = setTimeout(picture, wait);
    return undefined;
  }

  for (const moment of ["offline", "online"]) addEventListener(moment, check);

  const feed = {
    open(ondata, onpicture) {
      heard = { ondata, onpicture };
      if (stream) return;
      cut = false;
      stream = new EventSource("/api/live/events");
      stream.addEventListener("live", (event) => {
        const before = message?.session?.number;
        message = JSON.parse(event.data);
        if (message.session?.number !== before) shown = null;
        tell(true);
      });
      stream.addEventListener("error", () => {
        tell(false);
        // A refusal (too many viewers) closes the stream for good: ask again later.
        if (stream?.readyState === EventSource.CLOSED) {
          const { ondata: data, onpicture: drawn } = heard;
          this.close();
          timer = setTimeout(() => this.open(data, drawn), 5000);
        }
      });
      picture();
    },
    close() {
      clearTimeout(timer);
      clearTimeout(checking);
      checking = null;
      stream?.close();
      stream = null;
      shown = null;
    },
  };
  return feed;
}
