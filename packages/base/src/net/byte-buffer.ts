const FIRST_BYTES = 4 * 1_024;

/** Collects bytes in one buffer that grows up to a bound. Pieces of one byte cost no more memory than one large piece. */
export class ByteBuffer {
  readonly #maxBytes: number;
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What it takes of memory. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** Returns false, and adds nothing, if the bytes exceed the bound. */
  add(piece: Uint8Array): boolean {
    const length = this.#length + piece.length;
    if (length > this.#maxBytes) return false;
    if (length > this.#buffer.length) {
      const capacity = Math.max(
        length,
        Math.min(this.#maxBytes, Math.max(FIRST_BYTES, 2 * this.#buffer.length)),
      );
      const grown = Buffer.allocUnsafeSlow(capacity);
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = length;
    return true;
  }

  /** A copy of exactly what was added. */
  bytes(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }
}
