// Undo and redo over immutable values.

const LIMIT = 300;

export class History {
  constructor(value) {
    this.reset(value);
  }

  reset(value) {
    this.past = [];
    this.future = [];
    this.value = value;
  }

  /** Take a new value; one that is the same object changes nothing. */
  push(value) {
    if (value === this.value) return false;
    this.past = [...this.past, this.value].slice(-LIMIT);
    this.future = [];
    this.value = value;
    return true;
  }

  undo() {
    if (!this.canUndo) return false;
    this.future = [this.value, ...this.future];
    this.value = this.past.at(-1);
    this.past = this.past.slice(0, -1);
    return true;
  }

  redo() {
    if (!this.canRedo) return false;
    this.past = [...this.past, this.value];
    [this.value, ...this.future] = this.future;
    return true;
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }
}
