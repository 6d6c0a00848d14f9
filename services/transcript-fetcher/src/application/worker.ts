import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log, NewObject, Sql } from '@tds/service-kit';
import { LANES, type Lane } from '../domain/operation.ts';
import type { End } from '../store/end-rows.ts';
import { adoptFetches, type Begun, beginFetches, claimRows, queueRead } from '../store/rows.ts';
import { type LanePlaces, leave, takePlaces } from '../store/workers.ts';
import type { RenderedBody } from './make-track.ts';
import { Share } from './share.ts';

/** Upstream time of one fetch, from its turn on. */
const LONGEST_FETCH_MS = 3 * 60_000;
/** Turns are looked for from so far below the first one that was seen: who enters stands above it. */
const FLOOR_MARGIN_MS = 5_000;
/** A claim costs the same for one row and for eight: free places of jobs are collected for a moment. */
const COLLECT_MS = 40;

/** What a fetch has come to: what is to be stored before it is saved, and the file that whoever began it waits for. */
export type Ending = {
  readonly end: Omit<End, 'toldTo'>;
  readonly objects: readonly NewObject[];
  readonly rendered: RenderedBody | null;
};

/** A fetch that has come to an end, and the read that began it. */
export type EndingFetch = Ending & { readonly begun: Begun; readonly openerId: string | null };

type Needed = {
  readonly sql: Sql;
  readonly log: Log;
  /** How many fetches run at once in all processes together. */
  readonly places: LanePlaces;
  /** Brings a track; rejects when `signal` fires. */
  readonly fetch: (begun: Begun, signal: AbortSignal) => Promise<Ending>;
  /** Saves what came of it; `isLast` if nothing else is on its way. */
  readonly end: (ending: EndingFetch, isLast: boolean) => Promise<void>;
};

/** What this process knows of one lane. */
type LaneState = {
  /** Whether rows may wait for their turn. */
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

/** Fetches in this process what it is the turn of. */
export class Worker {
  readonly #id = randomUUID();
  readonly #needed: Needed;
  readonly #stopping = new AbortController();
  readonly #inHand = new Map<string, Promise<void>>();
  readonly #lanes: Readonly<Record<Lane, LaneState>> = { 0: newLane(), 1: newLane() };
  readonly #share: Share;
  #suspect: Promise<void> | null = null;

  constructor(needed: Needed) {
    this.#needed = needed;
    this.#share = new Share({
      all: needed.places,
      take: (taking) => takePlaces(needed.sql, this.#id, taking),
      isBusy: () => this.#inHand.size > 0,
      onTaken: () => {
        for (const lane of Object.values(LANES)) this.#next(lane);
      },
      onTrouble: (error) => needed.log.warn('a worker could not say that it lives', { error }),
    });
  }

  /** To be called as early as possible before rows begin. */
  stayAlive(): Promise<void> {
    return this.#share.start();
  }

  /** Begins a read whose credit is held; false if it waits for its turn, because no place is free. */
  async beginRead(readId: string): Promise<boolean> {
    const { sql } = this.#needed;
    await this.#share.find(LANES.reads);
    if (this.#share.free(LANES.reads) === 0) {
      await queueRead(sql, readId);
      this.wake(LANES.reads);
      return false;
    }
    await this.#begin(LANES.reads, 1, async () => {
      const begun = await beginFetches(sql, [readId], this.#id);
      return begun.map((each) => ({ begun: each, openerId: readId }));
    });
    return true;
  }

  /** Rows wait for their turn, or may. */
  wake(lane: Lane): void {
    this.#lanes[lane].mayWait = true;
    this.#next(lane);
  }

  /** Takes over fetches of workers that are gone. What may be the end of its workers runs one at a time, beside everything else. */
  async adopt(): Promise<void> {
    const inHand = [...this.#inHand.keys()];
    const adopt = (most: number, areSuspect: boolean) =>
      adoptFetches(this.#needed.sql, this.#id, inHand, { most, areSuspect });
    const [suspect] = this.#suspect ? [] : await adopt(1, true);
    const [reads, jobs] = this.#needed.places;
    // All that one of them may have had. They bring their places with them.
    const adopted = await adopt(reads + jobs, false);
    if (!suspect && adopted.length === 0) return;
    for (const each of adopted) this.#run(each, null);
    if (suspect) {
      this.#suspect = this.#run(suspect, null).finally(() => {
        this.#suspect = null;
      });
    }
    await this.stayAlive();
  }

  /** The database may be another one. */
  forgetFloors(): void {
    for (const lane of Object.values(this.#lanes)) lane.floor = null;
  }

  /** What is in hand is left to others at once. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the service stops'));
    for (const { collecting } of Object.values(this.#lanes)) if (collecting) clearTimeout(collecting);
    await Promise.allSettled([this.#share.stop(), ...this.#inHand.values()]);
    await leave(this.#needed.sql, this.#id);
  }

  /** Keeps places for what a statement may begin. */
  async #begin(
    lane: Lane,
    most: number,
    statement: () => Promise<readonly Pick<EndingFetch, 'begun' | 'openerId'>[]>,
  ): Promise<void> {
    this.#share.use(lane, most);
    let began: Awaited<ReturnType<typeof statement>> = [];
    try {
      began = await statement();
    } finally {
      this.#share.use(lane, -most);
    }
    for (const { begun, openerId } of began) void this.#run(begun, openerId);
  }

  #run(begun: Begun, openerId: string | null): Promise<void> {
    const { lane } = begun;
    this.#share.use(lane, 1);
    let hasPlace = true;
    const leavePlace = () => {
      if (!hasPlace) return;
      hasPlace = false;
      this.#share.use(lane, -1);
      this.#next(lane);
    };
    const done = this.#fetch(begun, openerId, () => {
      leavePlace();
      return this.#share.used(lane) === 0;
    })
      // It stays open, and somebody takes it over.
      .catch((error: unknown) => {
        const { fetchId } = begun;
        if (!this.#stopping.signal.aborted)
          this.#needed.log.warn('a fetch was not ended', { fetchId, error });
      })
      .finally(() => {
        this.#inHand.delete(begun.fetchId);
        leavePlace();
      });
    this.#inHand.set(begun.fetchId, done);
    return done;
  }

  async #fetch(begun: Begun, openerId: string | null, leavePlace: () => boolean): Promise<void> {
    const limit = AbortSignal.timeout(LONGEST_FETCH_MS);
    const ending = await this.#needed.fetch(begun, AbortSignal.any([this.#stopping.signal, limit]));
    await this.#needed.end({ ...ending, begun, openerId }, leavePlace());
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
      this.#needed.log.warn('rows could not be given their turn', { lane, error });
    } finally {
      state.isClaiming = false;
    }
    this.#next(lane);
  }

  async #claim(lane: Lane): Promise<void> {
    const state = this.#lanes[lane];
    const wanted = this.#share.free(lane);
    if (wanted === 0) return;
    // Whoever wakes this lane from now on is seen.
    state.mayWait = false;
    await this.#begin(lane, wanted, async () => {
      const { floor } = state;
      const claim = await claimRows(this.#needed.sql, { workerId: this.#id, lane, places: wanted, floor });
      // Without a floor nothing is overlooked.
      if (claim === null) state.mayWait ||= floor !== null;
      state.floor = claim && new Date(claim.firstTurn.getTime() - FLOOR_MARGIN_MS);
      if (claim === null) return [];
      state.mayWait = true;
      // Others are giving turns to the same lines.
      if (claim.rows === 0) await pause(COLLECT_MS);
      return claim.begun.map((begun) => ({ begun, openerId: null }));
    });
  }
}
