import type { Lane } from '../domain/operation.ts';
import type { SlotRequest, SlotsByLane } from '../store/workers.ts';

/** Heartbeat interval: a fifth of the time after which a silent worker counts as dead. */
const HEARTBEAT_MS = 2_000;
/** A worker without work for this long stops its heartbeat. */
const IDLE_AFTER_MS = 10_000;
/** A heartbeat holds slots for ten seconds; the margin is for its travel. */
const VALID_FOR_MS = 9_000;
/** Spare slots as a part of its most: a new row finds one free, and a burst needs no extra round trip. */
const SPARE_RATIO = 1 / 4;

/** Slots of all processes together, and the most that this one uses. */
export type SlotLimits = { readonly all: SlotsByLane; readonly max: SlotsByLane };

type SlotShareOptions = SlotLimits & {
  /** Sends the heartbeat; resolves to the slots of this process. */
  readonly take: (request: SlotRequest) => Promise<SlotsByLane>;
  readonly isBusy: () => boolean;
  /** Called when slots may have become free. */
  readonly onAcquired: () => void;
  readonly onError: (error: unknown) => void;
};

type LaneShare = {
  used: number;
  max: number;
  /** More slots may be available. */
  mayGrow: boolean;
};

const newLaneShare = (): LaneShare => ({ used: 0, max: 0, mayGrow: true });

/**
 * This process's share of the slots of all processes. Its heartbeat, from the first work until a while after the last, asks for the
 * slots it needs and keeps those it has.
 */
export class SlotShare {
  readonly #options: SlotShareOptions;
  readonly #lanes: Readonly<Record<Lane, LaneShare>> = { 0: newLaneShare(), 1: newLaneShare() };
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
    this.#timer = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
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
    for (const share of Object.values(this.#lanes)) share.mayGrow = true;
    await this.#busy?.catch(() => {});
  }

  used(lane: Lane): number {
    return this.#lanes[lane].used;
  }

  /** Changes the number of used slots by `change`, which may be negative. */
  use(lane: Lane, change: number): void {
    this.#lanes[lane].used += change;
  }

  /** Free slots as of the last heartbeat. */
  free(lane: Lane): number {
    const { used, max } = this.#lanes[lane];
    return performance.now() < this.#validUntil ? Math.max(0, max - used) : 0;
  }

  /** True if a slot is free or may be requested. */
  mayHaveFree(lane: Lane): boolean {
    return this.free(lane) > 0 || this.#lanes[lane].mayGrow;
  }

  /** Free slots; requests more if there are none. */
  async find(lane: Lane): Promise<number> {
    await this.start();
    while (this.free(lane) === 0 && this.#lanes[lane].mayGrow) await this.#take();
    return this.free(lane);
  }

  /** Runs work that changes this worker's slots by itself: a heartbeat meanwhile would not know of them. */
  async betweenHeartbeats(work: () => Promise<void>): Promise<void> {
    while (this.#busy) await this.#busy.catch(() => {});
    await this.#runAlone(work);
  }

  #take(): Promise<void> {
    return this.#busy ?? this.#runAlone(() => this.#sendHeartbeat());
  }

  #runAlone(work: () => Promise<void>): Promise<void> {
    this.#busy = work().finally(() => {
      this.#busy = null;
    });
    return this.#busy;
  }

  async #sendHeartbeat(): Promise<void> {
    const { all, max, take } = this.#options;
    const lanes = [this.#lanes[0], this.#lanes[1]] as const;
    const computeTarget = (lane: Lane) =>
      Math.min(max[lane], lanes[lane].used + Math.max(1, Math.ceil(max[lane] * SPARE_RATIO)));
    // Slots from an expired heartbeat belong to other workers by now.
    const isValid = performance.now() < this.#validUntil;
    const computeCurrent = (lane: Lane) =>
      Math.max(lanes[lane].used, isValid ? Math.min(lanes[lane].max, computeTarget(lane)) : 0);
    const target = [computeTarget(0), computeTarget(1)] as const;
    const current = [computeCurrent(0), computeCurrent(1)] as const;
    for (const lane of [0, 1] as const) lanes[lane].max = current[lane];
    const requestedAt = performance.now();
    const granted = await take({ current, target, all });
    for (const lane of [0, 1] as const) {
      lanes[lane].max = granted[lane];
      lanes[lane].mayGrow = granted[lane] === target[lane] && granted[lane] < max[lane];
    }
    this.#validUntil = requestedAt + VALID_FOR_MS;
    this.#options.onAcquired();
  }

  #beat(): void {
    const isIdle = !this.#options.isBusy() && performance.now() - this.#workedAt > IDLE_AFTER_MS;
    if (isIdle) void this.stop();
    else this.#take().catch(this.#options.onError);
  }
}
