import type { Lane } from '../domain/operation.ts';
import type { LanePlaces, Taking } from '../store/workers.ts';

/** Long enough to be no work, and a fifth of what a silent worker is believed. */
const BEAT_EVERY_MS = 2_000;
/** Who has had no work for so long is silent. */
const IDLE_AFTER_MS = 10_000;
/** Others believe a sign for ten seconds; then they use the places. */
const SURE_FOR_MS = 9_000;
/** What is held beyond what is used is this part of all: so who comes finds something free, and a burst does not wait for more. */
const SPARE = 1 / 4;

type Needed = {
  readonly all: LanePlaces;
  /** Says that this process lives, and answers its places. */
  readonly take: (taking: Taking) => Promise<LanePlaces>;
  readonly isBusy: () => boolean;
  /** There may be places free that were not. */
  readonly onTaken: () => void;
  readonly onTrouble: (error: unknown) => void;
};

type Held = {
  used: number;
  most: number;
  /** Whether more may be had at once. */
  mayGrow: boolean;
};

const newHeld = (): Held => ({ used: 0, most: 0, mayGrow: true });

/**
 * This process's share of the places that all processes have together. It says again and again that it lives and what it needs, from the
 * first work on until there has been none for a while; what it is given it holds until then.
 */
export class Share {
  readonly #needed: Needed;
  readonly #lanes: Readonly<Record<Lane, Held>> = { 0: newHeld(), 1: newHeld() };
  #alive: Promise<void> | null = null;
  #asking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #workedAt = 0;
  #sureUntil = 0;

  constructor(needed: Needed) {
    this.#needed = needed;
  }

  /** Resolves when it is known that this process lives: work that begins before may be taken over by others. */
  start(): Promise<void> {
    this.#workedAt = performance.now();
    if (this.#alive) return this.#alive;
    this.#timer = setInterval(() => this.#again(), BEAT_EVERY_MS).unref();
    this.#alive = this.#take().catch((error: unknown) => {
      void this.stop();
      throw error;
    });
    return this.#alive;
  }

  /** Resolves when nothing that was asked is on its way. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#alive = null;
    this.#sureUntil = 0;
    for (const held of Object.values(this.#lanes)) held.mayGrow = true;
    await this.#asking?.catch(() => {});
  }

  used(lane: Lane): number {
    return this.#lanes[lane].used;
  }

  /** Uses more places, or fewer. */
  use(lane: Lane, more: number): void {
    this.#lanes[lane].used += more;
  }

  /** Places that are free, for all that is known. */
  free(lane: Lane): number {
    const { used, most } = this.#lanes[lane];
    return performance.now() < this.#sureUntil ? Math.max(0, most - used) : 0;
  }

  /** Whether a place may be free, or be had. */
  mayHaveFree(lane: Lane): boolean {
    return this.free(lane) > 0 || this.#lanes[lane].mayGrow;
  }

  /** Places that are free, if need be after asking for more. */
  async find(lane: Lane): Promise<number> {
    await this.start();
    while (this.free(lane) === 0 && this.#lanes[lane].mayGrow) await this.#take();
    return this.free(lane);
  }

  #take(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const { all, take } = this.#needed;
    const lanes = [this.#lanes[0], this.#lanes[1]] as const;
    const wantedOf = (lane: Lane) =>
      Math.min(all[lane], lanes[lane].used + Math.max(1, Math.ceil(all[lane] * SPARE)));
    // What was given long ago is others' by now.
    const isSure = performance.now() < this.#sureUntil;
    const keptOf = (lane: Lane) =>
      Math.max(lanes[lane].used, isSure ? Math.min(lanes[lane].most, wantedOf(lane)) : 0);
    const wanted = [wantedOf(0), wantedOf(1)] as const;
    const kept = [keptOf(0), keptOf(1)] as const;
    for (const lane of [0, 1] as const) lanes[lane].most = kept[lane];
    const askedAt = performance.now();
    const given = await take({ kept, wanted, all });
    for (const lane of [0, 1] as const) {
      lanes[lane].most = given[lane];
      lanes[lane].mayGrow = given[lane] === wanted[lane] && given[lane] < all[lane];
    }
    this.#sureUntil = askedAt + SURE_FOR_MS;
    this.#needed.onTaken();
  }

  #again(): void {
    const isIdle = !this.#needed.isBusy() && performance.now() - this.#workedAt > IDLE_AFTER_MS;
    if (isIdle) void this.stop();
    else this.#take().catch(this.#needed.onTrouble);
  }
}
