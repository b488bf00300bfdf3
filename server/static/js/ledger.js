// The 锅 being played, known to every view. Nothing is asked for until one has been begun here.

import { inOrder } from "./answers.js";
import { ApiError, getSheet } from "./api.js";
import { recall, remember } from "./memory.js";

let sheet = null;
let proposed = null;
let asked = null;
const heard = [];

/**
 * Everything that is asked of the sheets and entered on them, one after the other: a sheet that was
 * asked for before an entry never comes after it.
 */
export const inLedgerOrder = inOrder();

/** The sheet being played, or null; a finished or closed one is none. */
export const currentSheet = () => (sheet && !sheet.closed_at && !sheet.finished ? sheet : null);

/** The sheet being looked at, finished or not. */
export const openSheet = () => sheet;

/** Call `listener()` whenever the sheet has changed. */
export const onsheet = (listener) => heard.push(listener);

/** Take a sheet as the server answers it, or null for none. */
export function takeSheet(next) {
  sheet = next;
  remember("guo", next === null ? null : next.id);
  for (const listener of heard) listener();
}

/** Load the sheet this browser worked on last. A sheet that is gone is forgotten. */
export function loadSheet() {
  const id = recall("guo", null);
  if (!Number.isInteger(id) || sheet) return Promise.resolve();
  asked ??= inLedgerOrder(() => getSheet(id)).then(takeSheet, (error) => {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) takeSheet(null);
  }).finally(() => {
    asked = null;
  });
  return asked;
}

/** Names for the next 锅, from East on, as 打风 has seated them. */
export function proposePlayers(names) {
  proposed = names;
}

export const proposedPlayers = () => proposed;
