import { byPriority, type Priority } from '../domain/operation.ts';
import type { SlotRequest, SlotsByPriority } from './store/workers.ts';

/** Heartbeat interval: a fifth of the time after which a silent worker counts as dead. */
const HEARTBEAT_MS = 2_000;
/** A worker without work for this long stops its heartbeat. */
const IDLE_AFTER_MS = 10_000;
/** A heartbeat holds slots for ten seconds; the margin is for its travel. */
const VALID_FOR_MS = 9_000;
/** Spare slots as a part of its maximum: a new row finds one free, and a burst needs no extra round trip. */
const SPARE_RATIO = 1 / 4;

/** Slots of all processes together, and the most that this one uses. */
export type SlotLimits = { readonly all: SlotsByPriority; readonly max: SlotsByPriority };

type SlotShareOptions = SlotLimits & {
  /** Sends the heartbeat; resolves to the slots of this process. */
  readonly acquire: (request: SlotRequest) => Promise<SlotsByPriority>;
  readonly isBusy: () => boolean;
  /** Called when slots may have become free. */
  readonly onAcquired: () => void;
  readonly onError: (error: unknown) => void;
};

type PriorityShare = {
  used: number;
  max: number;
  /** A heartbeat may get more of them. */
  canRequestMore: boolean;
};

/**
 * This process's share of the slots of all processes. Its heartbeat, from the first work until a while after the last, asks for the
 * slots it needs and keeps those it has.
 */
export class SlotShare {
  readonly #options: SlotShareOptions;
  #priorities = byPriority((): PriorityShare => ({ used: 0, max: 0, canRequestMore: true }));
  #alive: Promise<void> | null = null;
  /** A heartbeat, or work between two of them. */
  #busy: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #workedAt = 0;
  #validUntil = 0;

  constructor(options: SlotShareOptions) {
    this.#options = options;
  }

  /** Resolves after the first heartbeat: other workers may take over fetches that begin earlier. */
  start(): Promise<void> {
    this.#workedAt = performance.now();
    if (this.#alive) return this.#alive;
    this.#timer = setInterval(() => this.#onInterval(), HEARTBEAT_MS).unref();
    this.#alive = this.betweenHeartbeats(() => this.#sendHeartbeat()).catch((error: unknown) => {
      void this.stop();
      throw error;
    });
    return this.#alive;
  }

  /** Resolves when no heartbeat is under way. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#alive = null;
    this.#validUntil = 0;
    for (const share of Object.values(this.#priorities)) share.canRequestMore = true;
    await this.#busy?.catch(() => {});
  }

  used(priority: Priority): number {
    return this.#priorities[priority].used;
  }

  /** Changes the number of used slots by `change`, which may be negative. */
  use(priority: Priority, change: number): void {
    this.#priorities[priority].used += change;
  }

  /** Free slots as of the last heartbeat. */
  free(priority: Priority): number {
    const { used, max } = this.#priorities[priority];
    return performance.now() < this.#validUntil ? Math.max(0, max - used) : 0;
  }

  /** True if a slot is free or may be requested. */
  mayHaveFree(priority: Priority): boolean {
    return this.free(priority) > 0 || this.#priorities[priority].canRequestMore;
  }

  /** Free slots; requests more if there are none. */
  async requestSlots(priority: Priority): Promise<number> {
    await this.start();
    while (this.free(priority) === 0 && this.#priorities[priority].canRequestMore) await this.#shareHeartbeat();
    return this.free(priority);
  }

  /** Runs work that changes this worker's slots by itself: a heartbeat meanwhile would not know of them. */
  async betweenHeartbeats(work: () => Promise<void>): Promise<void> {
    while (this.#busy) await this.#busy.catch(() => {});
    await this.#runAlone(work);
  }

  #shareHeartbeat(): Promise<void> {
    return this.#busy ?? this.#runAlone(() => this.#sendHeartbeat());
  }

  #runAlone(work: () => Promise<void>): Promise<void> {
    this.#busy = work().finally(() => {
      this.#busy = null;
    });
    return this.#busy;
  }

  async #sendHeartbeat(): Promise<void> {
    const { all, max, acquire } = this.#options;
    const target = byPriority((priority) =>
      Math.min(max[priority], this.used(priority) + Math.max(1, Math.ceil(max[priority] * SPARE_RATIO))),
    );
    // Slots from an expired heartbeat belong to other workers by now.
    const isValid = performance.now() < this.#validUntil;
    // It uses no more than it reports.
    const current = byPriority((priority) => {
      const share = this.#priorities[priority];
      share.max = Math.max(share.used, isValid ? Math.min(share.max, target[priority]) : 0);
      return share.max;
    });
    const requestedAt = performance.now();
    const granted = await acquire({ current, target, all });
    this.#priorities = byPriority((priority) => {
      const slots = granted[priority];
      const canRequestMore = slots === target[priority] && slots < max[priority];
      return { used: this.used(priority), max: slots, canRequestMore };
    });
    this.#validUntil = requestedAt + VALID_FOR_MS;
    this.#options.onAcquired();
  }

  #onInterval(): void {
    const isIdle = !this.#options.isBusy() && performance.now() - this.#workedAt > IDLE_AFTER_MS;
    if (isIdle) void this.stop();
    else this.#shareHeartbeat().catch(this.#options.onError);
  }
}
