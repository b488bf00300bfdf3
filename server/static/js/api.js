// Calls of the JSON interface. A refusal becomes an ApiError with both languages.

export class ApiError extends Error {
  constructor({ code, zh, en }, status) {
    super(en);
    this.code = code;
    this.zh = zh;
    this.en = en;
    this.status = status;
  }
}

const OFFLINE = {
  code: "offline",
  zh: "连不上捉伍程序。请看它是否还在运行，然后再试。",
  en: "The Zhuowu program cannot be reached. Check that it is still running and try again.",
};

async function reach(path, init) {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(OFFLINE, 0);
  }
}

/** A file of the program, such as a picture; a refusal is thrown as an ApiError. */
export async function getFile(path, signal) {
  const answer = await reach(path, { signal });
  if (answer.ok) return answer.blob();
  const body = await answer.json().catch(() => null);
  throw new ApiError(body?.error ?? OFFLINE, answer.status);
}

/** Ask the interface; what it refuses is thrown as an ApiError. */
export async function call(path, init) {
  const answer = await reach(path, init);
  const body = await answer.json().catch(() => null);
  if (!answer.ok || body === null) throw new ApiError(body?.error ?? OFFLINE, answer.status);
  return body;
}

export const getOptions = () => call("/api/options");
export const getSamples = () => call("/api/samples");

export const readPhoto = (blob, { name, preview, said, signal }) =>
  call(`/api/read?${new URLSearchParams({
    name, ...(preview ? { preview: "1" } : {}), ...(said.set ? { set: said.set } : {}), ...(said.not.length ? { not: said.not.join() } : {}),
  })}`, {
    method: "POST",
    body: blob,
    headers: { "Content-Type": blob.type || "application/octet-stream" },
    signal,
  });

export const send = (path, body, signal, method = "POST") =>
  call(path, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    signal,
  });

export const score = (request, signal) => send("/api/score", request, signal);
export const advise = (request, signal) => send("/api/advise", request, signal);
export const askPung = (request, signal) => send("/api/pung", request, signal);
export const opening = (request) => send("/api/opening", request);
export const seating = (request) => send("/api/seating", request);
export const settle = (request, signal) => send("/api/settle", request, signal);
export const getExamples = () => call("/api/examples");
export const getExample = (key, seed) => call(`/api/examples/${key}?seed=${seed}`);
export const getDrill = (ask) => call(`/api/drill?${new URLSearchParams(ask)}`);
export const getDrillLevels = () => call("/api/drill/levels");

export const listGuos = () => call("/api/ledger?limit=100");
export const getSheet = (id) => call(`/api/ledger/${id}`);
export const beginGuo = (guo) => send("/api/ledger", guo);
export const enterHand = (id, hand) => send(`/api/ledger/${id}/hands`, hand);
export const correctHand = (id, number, hand) => send(`/api/ledger/${id}/lines/${number}/correct`, hand);
export const adjustPoints = (id, points) => send(`/api/ledger/${id}/adjust`, points);
export const undoLine = (id, number, body) => send(`/api/ledger/${id}/lines/${number}/undo`, body);
export const closeGuo = (id, closed) => send(`/api/ledger/${id}/${closed ? "close" : "open"}`);
export const forgetPicture = (id, number) =>
  send(`/api/ledger/${id}/lines/${number}/picture`, undefined, undefined, "DELETE");

export const getCameras = () => call("/api/live/cameras");
export const getLan = () => call("/api/lan");
export const startLive = (source) => send("/api/live/source", source);
export const stopLive = () => send("/api/live/source", undefined, undefined, "DELETE");
export const correctLive = (correction) => send("/api/live/correct", correction);
export const setLiveRolls = (rolls) => send("/api/live/rolls", { rolls });
export const notThisSet = (key) => send("/api/live/tile-set", { refuse: key });
/** Of the sets that the table may show it is this one, or `none`. */
export const thisSet = (key) => send("/api/live/tile-set", { take: key });
export const judgeLiveBy = (options) => send("/api/live/rules", { options });
export const undoLive = () => send("/api/live/undo");
export const redoLive = () => send("/api/live/redo");
export const pushFrame = (blob) =>
  call("/api/live/frames", { method: "POST", body: blob, headers: { "Content-Type": "image/jpeg" } });

/** A name for one thing to enter, so that sending it twice enters it once. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
