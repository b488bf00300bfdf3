// Sentences of the opening guide, the settlement and the score sheet.

export const TABLE_WORDS = {
  discarded: ["打了 {tile}", "Discarded {tile}"],
};
