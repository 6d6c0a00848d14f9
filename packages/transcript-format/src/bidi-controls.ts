/** Marks, embeddings, overrides and isolates that change the direction of what stands around them. */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A stranger's text that cannot reorder what it is put into. */
export const withoutBidiControls = (text: string): string => text.replace(bidiControls, '');
