// Answers that come late, and taps that come twice: what is asked last is what counts.

const PATIENCE_MS = 20_000;

/**
 * Work that must not overtake: each piece begins when the one before it has ended, well or badly.
 * What takes very long is waited for no longer, so that one lost answer does not stop everything.
 *
 * @returns {function} `inOrder(work)` answers what `work()` answers
 */
export function inOrder() {
  let last = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    const longEnough = last.then(() => new Promise((done) => setTimeout(done, PATIENCE_MS)));
    last = Promise.race([mine.catch(() => {}), longEnough]);
    return mine;
  };
}

/**
 * Questions of which only the newest counts: `const isNewest = asked();`, then, once the answer is
 * there, `if (!isNewest()) return;`.
 */
export function newestOnly() {
  let newest = 0;
  return () => {
    const mine = newest += 1;
    return () => mine === newest;
  };
}

/** Work that does not begin again before it has ended: a second tap meanwhile does nothing. */
export function notTwice(work) {
  let running = false;
  return async (...given) => {
    if (running) return undefined;
    running = true;
    try {
      return await work(...given);
    } finally {
      running = false;
    }
  };
}

/**
 * Whether a message of the live table is newer than the one that is shown. Another `run` is the
 * program started again, which counts anew.
 */
export const isNewer = (message, shown) =>
  shown === null || message.run !== shown.run || message.message > shown.message;
