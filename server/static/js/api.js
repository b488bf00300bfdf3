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

async function call(path, init) {
  let answer;
  try {
    answer = await fetch(path, init);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(OFFLINE, 0);
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok || body === null) throw new ApiError(body?.error ?? OFFLINE, answer.status);
  return body;
}

export const getOptions = () => call("/api/options");
export const getSamples = () => call("/api/samples");

export const readPhoto = (blob, { name, preview, signal }) =>
  call(`/api/read?name=${encodeURIComponent(name)}${preview ? "&preview=1" : ""}`, {
    method: "POST",
    body: blob,
    headers: { "Content-Type": blob.type || "application/octet-stream" },
    signal,
  });

export const score = (request, signal) =>
  call("/api/score", {
    method: "POST",
    body: JSON.stringify(request),
    headers: { "Content-Type": "application/json" },
    signal,
  });
