// Calls about where the table lies in the camera's picture.

import { call, send } from "./api.js";

export { ApiError } from "./api.js";

const HERE = "/api/live/placement";

export const getPlacement = () => call(HERE);
export const guessPlacement = () => call(`${HERE}/guess`);
export const placeTable = (placement) => send(HERE, placement);
export const unplaceTable = () => send(HERE, undefined, undefined, "DELETE");
export const forgetPlacement = (name) =>
  send(`/api/live/placements/${encodeURIComponent(name)}`, undefined, undefined, "DELETE");
