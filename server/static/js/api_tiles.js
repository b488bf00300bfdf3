// Calls about tile sets: those stored, and one that is being taught.

import { call, send } from "./api.js";

const how = ({ guided, others }) => `order=${guided ? "guided" : "any"}&others=${others ? 1 : 0}`;

const upload = (path, blob) => call(path, {
  method: "POST", body: blob, headers: { "Content-Type": blob.type || "application/octet-stream" },
});

export const listSets = () => call("/api/sets");
export const useSet = (use) => send("/api/sets/use", { use });
export const removeSet = (key) => send(`/api/sets/${key}`, undefined, undefined, "DELETE");
export const importSet = (file, replace) => upload(`/api/sets/file${replace ? "?replace=1" : ""}`, file);
export const fileOf = (key, consent) => `/api/sets/${key}/file${consent ? "?consent=1" : ""}`;
export const pictureOf = (set) => `/api/sets/${set.key}/picture.jpg?${set.examples}`;

export const beginTeaching = (addTo) => send("/api/calibration", { add_to: addTo });
export const teaching = (id) => call(`/api/calibration/${id}`);
export const giveUp = (id) => send(`/api/calibration/${id}`, undefined, undefined, "DELETE");
export const look = (id, blob, ask) => upload(`/api/calibration/${id}/look?${how(ask)}`, blob);
export const addPhoto = (id, blob, ask) =>
  upload(`/api/calibration/${id}/photos?${how(ask)}${ask.preview ? "&preview=1" : ""}`, blob);
export const nameTiles = (id, number, tiles) => send(`/api/calibration/${id}/photos/${number}`, { tiles });
export const dropPhoto = (id, number) => send(`/api/calibration/${id}/photos/${number}`, undefined, undefined, "DELETE");
export const addExamples = (id, examples) => send(`/api/calibration/${id}/examples`, { examples });
export const learn = (id, insist) => send(`/api/calibration/${id}/learn`, { insist });
export const keep = (id, name, replace) => send(`/api/calibration/${id}/keep`, { name, replace });
