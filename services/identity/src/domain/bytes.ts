/** Bytes with memory of their own, as databases take and give them. */
export type Bytes = Uint8Array<ArrayBuffer>;
