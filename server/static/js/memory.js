// What the browser remembers for this page; everything works without it.

const PREFIX = "zhuowu.";

export function recall(key, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A full or forbidden storage only means that the choice is not remembered.
  }
}
