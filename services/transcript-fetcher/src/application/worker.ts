import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log, Sql } from '@tds/base';
import { TRANSACTION_MS } from '@tds/contracts';
import type { NewObject } from '@tds/objects';
import { LANES, type Lane } from '../domain/operation.ts';
import type { End } from '../store/end-rows.ts';
import { adoptFetches, beginFetches, claimRows, queueRead, type StartedFetch } from '../store/rows.ts';
import { acquireSlots, releaseSlots } from '../store/workers.ts';
import type { RenderedBody } from './make-track.ts';
import { type SlotLimits, SlotShare } from './slot-share.ts';

/** The time limit of one fetch. */
const MAX_FETCH_MS = 3 * 60_000;
/**
 * The floor of the search stays this far below the first turn seen. A new turn is five seconds old, and becomes visible when its
 * transaction ends.
 */
const FLOOR_MARGIN_MS = 5_000 + TRANSACTION_MS;
/** A claim of one row costs as much as one of eight, so free slots of jobs are collected briefly. */
const COLLECT_MS = 40;

/** The result of a fetch: its end, the objects to store before it, and the file that its read waits for. */
export type FetchResult = {
  readonly end: Omit<End, 'reportTo'>;
  readonly objects: readonly NewObject[];
  readonly rendered: RenderedBody | null;
};

/** The result with its fetch, and the read that opened it. */
export type FinishedFetch = FetchResult & { readonly begun: StartedFetch; readonly readId: string | null };

type WorkerOptions = {
  readonly sql: Sql;
  readonly log: Log;
  readonly slots: SlotLimits;
  /** Fetches a track; rejects when `signal` fires. */
  readonly fetch: (begun: StartedFetch, signal: AbortSignal) => Promise<FetchResult>;
  /** Saves the result; `isLast` if no other fetch of the lane runs. */
  readonly end: (result: FinishedFetch, isLast: boolean) => Promise<void>;
};

type LaneState = {
  /** Rows may be waiting. */
  mayWait: boolean;
  isClaiming: boolean;
  collecting: NodeJS.Timeout | null;
  floor: Date | null;
};

const newLane = (): LaneState => ({
  mayWait: false,
  isClaiming: false,
  collecting: null,
  floor: null,
});

/** Runs the fetches of this process: claims rows by turn, within its share of slots. */
export class Worker {
  readonly #id = randomUUID();
  readonly #options: WorkerOptions;
  readonly #stopping = new AbortController();
  readonly #inHand = new Map<string, Promise<void>>();
  readonly #lanes: Readonly<Record<Lane, LaneState>> = { 0: newLane(), 1: newLane() };
  readonly #share: SlotShare;
  #suspect: Promise<void> | null = null;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#share = new SlotShare({
      ...options.slots,
      take: (taking) => acquireSlots(options.sql, this.#id, taking),
      isBusy: () => this.#inHand.size > 0,
      onTaken: () => {
        for (const lane of Object.values(LANES)) this.#next(lane);
      },
      onTrouble: (error) => options.log.warn('a worker heartbeat failed', { error }),
    });
  }

  /** Call as early as possible before rows begin. */
  stayAlive(): Promise<void> {
    return this.#share.start();
  }

  /** Begins a read whose credit is held. Returns false if no slot is free and the read waits for its turn. */
  async beginRead(readId: string): Promise<boolean> {
    const { sql } = this.#options;
    await this.#share.find(LANES.reads);
    if (this.#share.free(LANES.reads) === 0) {
      await queueRead(sql, readId);
      this.wake(LANES.reads);
      return false;
    }
    await this.#begin(LANES.reads, 1, async () => {
      const begun = await beginFetches(sql, [readId], this.#id);
      return begun.map((each) => ({ begun: each, readId }));
    });
    return true;
  }

  /** Claims waiting rows as soon as there is a slot. */
  wake(lane: Lane): void {
    this.#lanes[lane].mayWait = true;
    this.#next(lane);
  }

  /** Takes over fetches of dead workers. A fetch that may kill its workers runs one at a time, beside all others. */
  async adopt(): Promise<void> {
    const inHand = [...this.#inHand.keys()];
    const adopt = (most: number, areSuspect: boolean) =>
      adoptFetches(this.#options.sql, this.#id, inHand, { most, areSuspect });
    const [suspect] = this.#suspect ? [] : await adopt(1, true);
    const [reads, jobs] = this.#options.slots.most;
    // As many as one worker may have had. They bring their slots with them, and a heartbeat meanwhile keeps these.
    this.#share.use(LANES.reads, reads);
    this.#share.use(LANES.jobs, jobs);
    const adopted = await adopt(reads + jobs, false).finally(() => {
      this.#share.use(LANES.reads, -reads);
      this.#share.use(LANES.jobs, -jobs);
    });
    if (!suspect && adopted.length === 0) return;
    for (const each of adopted) this.#run(each, null);
    if (suspect) {
      this.#suspect = this.#run(suspect, null).finally(() => {
        this.#suspect = null;
      });
    }
    await this.stayAlive();
  }

  /** For a restored database, whose turns may be older. */
  forgetFloors(): void {
    for (const lane of Object.values(this.#lanes)) lane.floor = null;
  }

  /** Leaves running fetches to other workers at once. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the service stops'));
    for (const { collecting } of Object.values(this.#lanes)) if (collecting) clearTimeout(collecting);
    await Promise.allSettled([this.#share.stop(), ...this.#inHand.values()]);
    await releaseSlots(this.#options.sql, this.#id);
  }

  /** Reserves slots for the fetches that `statement` may begin. */
  async #begin(
    lane: Lane,
    most: number,
    statement: () => Promise<readonly Pick<FinishedFetch, 'begun' | 'readId'>[]>,
  ): Promise<void> {
    this.#share.use(lane, most);
    let began: Awaited<ReturnType<typeof statement>> = [];
    try {
      began = await statement();
    } finally {
      this.#share.use(lane, -most);
    }
    for (const { begun, readId } of began) void this.#run(begun, readId);
  }

  #run(begun: StartedFetch, readId: string | null): Promise<void> {
    const { lane } = begun;
    this.#share.use(lane, 1);
    let hasSlot = true;
    const releaseSlot = () => {
      if (!hasSlot) return;
      hasSlot = false;
      this.#share.use(lane, -1);
      this.#next(lane);
    };
    const done = this.#fetch(begun, readId, () => {
      releaseSlot();
      return this.#share.used(lane) === 0;
    })
      // The fetch stays open and is taken over.
      .catch((error: unknown) => {
        const { fetchId } = begun;
        if (!this.#stopping.signal.aborted)
          this.#options.log.warn('saving the end of a fetch failed', { fetchId, error });
      })
      .finally(() => {
        this.#inHand.delete(begun.fetchId);
        releaseSlot();
      });
    this.#inHand.set(begun.fetchId, done);
    return done;
  }

  async #fetch(begun: StartedFetch, readId: string | null, releaseSlot: () => boolean): Promise<void> {
    const limit = AbortSignal.timeout(MAX_FETCH_MS);
    const result = await this.#options.fetch(begun, AbortSignal.any([this.#stopping.signal, limit]));
    await this.#options.end({ ...result, begun, readId }, releaseSlot());
  }

  #next(lane: Lane): void {
    const state = this.#lanes[lane];
    if (!state.mayWait || state.isClaiming || state.collecting || this.#stopping.signal.aborted) return;
    if (!this.#share.mayHaveFree(lane)) return;
    const [free, used] = [this.#share.free(lane), this.#share.used(lane)];
    const isWorthIt = lane === LANES.reads || free === 0 || free * 2 >= used;
    if (isWorthIt) return void this.#claimAll(lane);
    state.collecting = setTimeout(() => {
      state.collecting = null;
      void this.#claimAll(lane);
    }, COLLECT_MS);
  }

  async #claimAll(lane: Lane): Promise<void> {
    const state = this.#lanes[lane];
    state.isClaiming = true;
    try {
      while (!this.#stopping.signal.aborted && state.mayWait && (await this.#share.find(lane)) > 0)
        await this.#claim(lane);
    } catch (error) {
      this.#options.log.warn('claiming rows failed', { lane, error });
    } finally {
      state.isClaiming = false;
    }
    this.#next(lane);
  }

  async #claim(lane: Lane): Promise<void> {
    const state = this.#lanes[lane];
    const wanted = this.#share.free(lane);
    if (wanted === 0) return;
    // A wake-up during the claim sets it again.
    state.mayWait = false;
    await this.#begin(lane, wanted, async () => {
      const { floor } = state;
      const claim = await claimRows(this.#options.sql, { workerId: this.#id, lane, slots: wanted, floor });
      // A claim with a floor may have missed older turns.
      if (claim === null) state.mayWait ||= floor !== null;
      state.floor = claim && new Date(claim.firstTurn.getTime() - FLOOR_MARGIN_MS);
      if (claim === null) return [];
      state.mayWait = true;
      // Another worker is claiming the same lines.
      if (claim.rows === 0) await pause(COLLECT_MS);
      return claim.begun.map((begun) => ({ begun, readId: null }));
    });
  }
}
