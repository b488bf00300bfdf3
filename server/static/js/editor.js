// What a person can do to the table: the picker for one tile, adding, and the keys.

import { openPicker } from "./picker.js";
import * as model from "./table.js";
import { t, tileName } from "./words.js";
import { TypedTile, walkKey } from "./deskview.js";

const PLACES = ["hand", "drawn", "indicator", "aside"];
const KINDS = ["pong", "gang_open", "gang_concealed"];

export class Editor {
  /**
   * @param {object} desk table() the table now; apply(table, said, focus) takes a new one;
   *   jokers() the joker kinds; focus(id) moves the focus; undo(); redo()
   */
  constructor(desk) {
    this.desk = desk;
    this.typed = new TypedTile();
  }

  /** Open the picker for one tile. */
  open(id) {
    const table = this.desk.table();
    const tile = table.tiles[id];
    const { place, meld } = model.placeOf(table, id);
    const code = meld ? meld.code : tile.code;
    const likely = [...tile.alternatives].filter(([name, p]) => !name.startsWith("die") && p >= 0.01);
    openPicker({
      title: t("chooseFor"),
      jokers: this.desk.jokers(),
      chosen: code,
      note: code === "back" ? null : t("unseenLeft", { tile: tileName(code), n: model.unseen(table, code) }),
      likely,
      faceDown: true,
      onpick: (picked) => this.setCode(id, picked),
      actions: meld ? this.meldActions(id, meld) : this.tileActions(id, place),
    });
  }

  setCode(id, code) {
    const table = this.desk.table();
    this.desk.apply(model.setCode(table, id, code), t("changed", { tile: tileName(code) }), id);
  }

  remove(id) {
    const table = this.desk.table();
    const order = model.walk(table);
    const near = order[order.indexOf(id) + 1] ?? order.at(-2);
    const said = t("removed", { tile: tileName(table.tiles[id].code) });
    this.desk.apply(model.remove(table, id), said, near);
  }

  tileActions(id, place) {
    const change = (make) => () => this.desk.apply(make(this.desk.table()), "", id);
    const move = PLACES.map((name) => ({
      label: t(name === "aside" ? "asidePlace" : name), pressed: name === place,
      run: change((table) => model.moveTo(table, id, name)),
    }));
    const lay = KINDS.map((kind) => ({
      label: t(kind), run: change((table) => model.makeMeld(table, id, kind)),
    }));
    const face = this.desk.table().tiles[id].code !== "back";
    return [
      { group: t("moveTo"), items: move },
      ...(face ? [{ group: t("layAs"), items: lay }] : []),
      { group: "", items: [{ label: t("deleteTile"), danger: true, run: () => this.remove(id) }] },
    ];
  }

  meldActions(id, meld) {
    const change = (make) => () => this.desk.apply(make(this.desk.table()), "", id);
    return [
      {
        group: t("meldIs"),
        items: KINDS.map((kind) => ({
          label: t(kind), pressed: kind === meld.kind,
          run: change((table) => model.setMeldKind(table, meld.id, kind)),
        })),
      },
      {
        group: "",
        items: [
          { label: t("breakMeld"), run: change((table) => model.breakMeld(table, meld.id)) },
          { label: t("dropMeld"), danger: true, run: change((table) => model.dropMeld(table, meld.id)) },
        ],
      },
    ];
  }

  /** Ask which tile lies on a free place: drawn, indicator, or more for the hand. */
  fill(place) {
    const titles = { drawn: "chooseDrawn", indicator: "chooseIndicator", hand: "chooseAdd" };
    openPicker({
      title: t(titles[place]),
      jokers: this.desk.jokers(),
      chosen: null,
      stay: place === "hand",
      faceDown: false,
      onpick: (code) => {
        const table = this.desk.table();
        const next = place === "indicator"
          ? model.setIndicator(table, code) : model.add(table, code, place);
        this.desk.apply(next, t("added", { tile: tileName(code) }));
      },
    });
  }

  /** Keys on a tile of the desk. Returns whether the key was one of ours. */
  key(event, id) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const target = walkKey(this.desk.table(), id, event.key);
    if (target !== null) {
      this.desk.focus(target);
      return true;
    }
    if (event.key === "Delete" || event.key === "Backspace") {
      this.remove(id);
      return true;
    }
    const code = this.typed.take(event.key);
    if (code) this.setCode(id, code);
    return code !== null || /^[1-9]$/.test(event.key);
  }
}

/** Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z anywhere but in a field. */
export function undoKey(event) {
  const field = event.target.closest?.("input, select, textarea, dialog");
  if (field || !(event.ctrlKey || event.metaKey)) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" ? "redo" : null;
}
