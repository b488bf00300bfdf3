// What the server sees, as it changes, and the newest picture; kept only while it is looked at.

const PICTURE_MS = 250;
const IDLE_MS = 1500;

/** A feed with `open(ondata, onpicture)` and `close()`; `ondata(message, connected)`. */
export function makeFeed() {
  let stream = null;
  let message = null;
  let timer = null;
  let shown = null;
  let url = null;
  let heard = null;

  const tell = (connected) => heard.ondata(message, connected);

  async function picture() {
    const mine = stream;
    let wait = IDLE_MS;
    try {
      const session = message?.session;
      if (session && !document.hidden) {
        const answer = await fetch("/api/live/frame.jpg");
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
      // The stream tells that the program cannot be reached.
    }
    if (mine === stream && stream) timer = setTimeout(picture, wait);
    return undefined;
  }

  return {
    open(ondata, onpicture) {
      heard = { ondata, onpicture };
      if (stream) return;
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
      stream?.close();
      stream = null;
      shown = null;
    },
  };
}
