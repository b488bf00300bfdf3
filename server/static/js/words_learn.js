// Sentences of the teacher and of advice.

export const LEARN_WORDS = {
};
