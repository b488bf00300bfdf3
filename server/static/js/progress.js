// How well one does at the drills: kept by this browser, it chooses the level and what is asked.

import { recall, remember } from "./memory.js";

const WINDOW = 8;
const UP = 7;
const DOWN = 3;
const KEPT = 400;
const TOP_LEVEL = 3;

/**
 * The level after the last answers at a level: up when 7 of the last 8 were right, down when no more
 * than 3 were.
 */
export function levelAfter(level, recent) {
  if (recent.length < WINDOW) return level;
  const right = recent.slice(-WINDOW).filter(Boolean).length;
  if (right >= UP) return Math.min(level + 1, TOP_LEVEL);
  return right <= DOWN ? Math.max(level - 1, 1) : level;
}

/**
 * Which kind of drill comes next: what one gets wrong comes more often, never twice in a row.
 *
 * @param {string[]} kinds the kinds of the level
 * @param {object} record by kind, {asked, right}
 * @param {number} chance from 0 to 1
 */
export function chooseKind(kinds, record, chance, last) {
  const open = kinds.length > 1 ? kinds.filter((kind) => kind !== last) : kinds;
  const weights = open.map((kind) => {
    const { asked = 0, right = 0 } = record[kind] ?? {};
    return 1 + 2 * ((asked - right + 1) / (asked + 2));
  });
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [n, weight] of weights.entries()) {
    left -= weight;
    if (left <= 0) return open[n];
  }
  return open.at(-1);
}

export class Progress {
  constructor() {
    const saved = recall("drills", null);
    const fits = Array.isArray(saved?.answers) && [1, 2, 3].includes(saved.level);
    this.answers = fits ? saved.answers.filter((one) => Array.isArray(one) && one.length === 3) : [];
    this.level = fits ? saved.level : 1;
    this.follows = fits ? saved.follows !== false : true;
    this.since = fits && Number.isInteger(saved.since) ? saved.since : 0;
  }

  save() {
    const { answers, level, follows, since } = this;
    remember("drills", { answers, level, follows, since });
  }

  add(level, kind, right) {
    this.answers.push([level, kind, right]);
    const spare = this.answers.length - KEPT;
    if (spare > 0) {
      this.answers = this.answers.slice(spare);
      this.since = Math.max(this.since - spare, 0);
    }
    this.save();
  }

  /** Go to a level; only answers from now on decide whether to leave it. */
  setLevel(level) {
    this.level = level;
    this.since = this.answers.length;
    this.save();
  }

  setFollows(follows) {
    this.follows = follows;
    this.save();
  }

  /** Right or wrong, at a level, since one came to it. */
  recent(level) {
    return this.answers.slice(this.since).filter(([at]) => at === level).map(([, , right]) => right);
  }

  ofKinds(level) {
    const found = {};
    for (const [at, kind, right] of this.answers) {
      if (at !== level) continue;
      const one = (found[kind] ??= { asked: 0, right: 0 });
      one.asked += 1;
      one.right += Number(right);
    }
    return found;
  }

  total(level) {
    const all = Object.values(this.ofKinds(level));
    return {
      asked: all.reduce((sum, one) => sum + one.asked, 0),
      right: all.reduce((sum, one) => sum + one.right, 0),
    };
  }

  get streak() {
    const wrong = this.answers.findLastIndex(([, , right]) => !right);
    return this.answers.length - 1 - wrong;
  }
}
