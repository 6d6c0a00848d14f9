/**
 * The last `limit` admissions of one key, as the script in Redis keeps them: no minute holds more than the limit.
 * Times are monotonic milliseconds.
 */
export class RateLog {
  readonly #times: Float64Array;
  readonly #windowMs: number;
  #next = 0;

  constructor(limit: number, windowMs: number) {
    this.#times = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
    this.#windowMs = windowMs;
  }

  get limit(): number {
    return this.#times.length;
  }

  /** Milliseconds to wait; 0 admits the request and counts it. */
  admit(nowMs: number): number {
    const oldest = this.#times[this.#next] ?? Number.NEGATIVE_INFINITY;
    const waitMs = oldest + this.#windowMs - nowMs;
    if (waitMs > 0) return waitMs;
    this.#times[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#times.length;
    return 0;
  }
}
