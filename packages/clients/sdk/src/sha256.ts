const BLOCK = 64;
const WORDS = 16;
const ROUNDS = 64;
const LENGTH_BYTES = 8;

/** The first 32 bits of the fractional parts of roots of the first primes: the constants of FIPS 180-4. */
const fractions = (root: number, count: number): Uint32Array => {
  const roots: number[] = [];
  for (let n = 2; roots.length < count; n++) {
    let divisor = 2;
    while (n % divisor !== 0) divisor++;
    if (divisor === n) roots.push((n ** (1 / root) % 1) * 2 ** 32);
  }
  return Uint32Array.from(roots);
};
const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));
const at = (words: Uint32Array, index: number): number => words[index] as number;

export type Hash = { update(bytes: Uint8Array): unknown; digest(): Uint8Array };

/** SHA-256 piece by piece, which Web Crypto does not offer: a download need not be in memory to be checked. */
export class Sha256 implements Hash {
  readonly #constants = fractions(3, ROUNDS);
  readonly #state = fractions(2, 8);
  readonly #words = new Uint32Array(ROUNDS);
  readonly #rest = new Uint8Array(BLOCK);
  #length = 0;

  update(bytes: Uint8Array): this {
    for (let from = 0; from < bytes.length; ) {
      const filled = this.#length % BLOCK;
      const piece = bytes.subarray(from, from + BLOCK - filled);
      this.#rest.set(piece, filled);
      this.#length += piece.length;
      from += piece.length;
      if (this.#length % BLOCK === 0) this.#round();
    }
    return this;
  }

  /** The hash of all bytes so far. Ends this object. */
  digest(): Uint8Array {
    const bits = this.#length * 8;
    const zeros = (2 * BLOCK - 1 - LENGTH_BYTES - (this.#length % BLOCK)) % BLOCK;
    const end = new DataView(new ArrayBuffer(1 + zeros + LENGTH_BYTES));
    end.setUint8(0, 0x80);
    end.setUint32(1 + zeros, Math.floor(bits / 2 ** 32));
    end.setUint32(1 + zeros + 4, bits);
    this.update(new Uint8Array(end.buffer));
    const digest = new DataView(new ArrayBuffer(4 * this.#state.length));
    this.#state.forEach((word, index) => {
      digest.setUint32(4 * index, word);
    });
    return new Uint8Array(digest.buffer);
  }

  #round(): void {
    const words = this.#words;
    const block = new DataView(this.#rest.buffer);
    for (let i = 0; i < WORDS; i++) words[i] = block.getUint32(4 * i);
    for (let i = WORDS; i < ROUNDS; i++) {
      const [early, late] = [at(words, i - 15), at(words, i - 2)];
      const low = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const high = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[i] = at(words, i - 16) + low + at(words, i - 7) + high;
    }
    let [a, b, c, d, e, f, g, h] = this.#state as unknown as Eight;
    for (let i = 0; i < ROUNDS; i++) {
      const chosen = (e & f) ^ (~e & g);
      const sum =
        (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + h + chosen + at(this.#constants, i) + at(words, i);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const other = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + sum) | 0, c, b, a, (sum + other) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => {
      this.#state[index] = at(this.#state, index) + word;
    });
  }
}
type Eight = [number, number, number, number, number, number, number, number];
