/** Long enough to be no work, and a fifth of what a silent worker is believed. */
const BEAT_EVERY_MS = 2_000;
/** Who has had no work for so long is silent. */
const IDLE_AFTER_MS = 10_000;

type Needed = {
  /** Says that this process lives; answers how many do. */
  readonly beat: () => Promise<number>;
  readonly isBusy: () => boolean;
  readonly onTrouble: (error: unknown) => void;
};

/** Says again and again that this process lives, from the first work on until there has been none for a while. */
export class Heartbeat {
  readonly #needed: Needed;
  #alive: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #usedAt = 0;
  /** Processes that have work, this one included. */
  workers = 1;

  constructor(needed: Needed) {
    this.#needed = needed;
  }

  /** Resolves when it is known that this process lives: work that begins before may be taken over by others. */
  start(): Promise<void> {
    this.#usedAt = performance.now();
    if (this.#alive) return this.#alive;
    this.#timer = setInterval(() => this.#again(), BEAT_EVERY_MS).unref();
    this.#alive = this.#beat().catch((error: unknown) => {
      this.stop();
      throw error;
    });
    return this.#alive;
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#alive = null;
  }

  async #beat(): Promise<void> {
    this.workers = await this.#needed.beat();
  }

  #again(): void {
    const isIdle = !this.#needed.isBusy() && performance.now() - this.#usedAt > IDLE_AFTER_MS;
    if (isIdle) this.stop();
    else this.#beat().catch(this.#needed.onTrouble);
  }
}
