import { randomUUID } from 'node:crypto';
import { createSemaphore } from '@tds/base';
import type { RecentOutcomes } from '@tds/video-platform';
import { isRouteFault, type StartedFetch } from '../domain/fetch.ts';
import { type ByPriority, byPriority, type Priority } from '../domain/operation.ts';
import { fetchTrack, type TrackDeps } from '../tracks/index.ts';
import { createEndFetch, type EndFetch, type EndFetchDeps } from './end-fetch.ts';
import { RowClaims } from './priority-claims.ts';
import { type SlotLimits, SlotShare } from './slot-share.ts';
import { adoptFetches, beginFetches, claimRows, queueRead } from './store/rows.ts';
import { acquireSlots, releaseSlots } from './store/workers.ts';

/** The time limit of one fetch. */
export const MAX_FETCH_MS = 3 * 60_000;
type WorkerDeps = TrackDeps &
  EndFetchDeps & {
    readonly slots: SlotLimits;
    /** How the fetches of customers ended. */
    readonly outcomes: RecentOutcomes;
  };

/*
 * open  begun for a row in its turn (`begin_fetches`), by the worker that has a slot for it. Other rows of its track join it.
 *       The worker dies: another one adopts it (`adopt_fetches`); two have died: it runs alone. It stops in order: nobody's, and adopted.
 * done, failed  by the worker that runs it, with the end and the price of each of its rows (`end_rows`). Nothing changes it afterwards.
 */

/** Runs the fetches of this process: claims rows by turn, within its share of slots. */
export class Worker {
  readonly #id = randomUUID();
  readonly #deps: WorkerDeps;
  readonly #fetch: typeof fetchTrack;
  readonly #end: EndFetch;
  readonly #stopping = new AbortController();
  readonly #activeIds = new Set<string>();
  readonly #running = createSemaphore(Number.POSITIVE_INFINITY);
  readonly #slotShare: SlotShare;
  readonly #claims: ByPriority<RowClaims>;
  #suspectRun: Promise<void> | null = null;

  constructor(deps: WorkerDeps, fetch = fetchTrack, end = createEndFetch(deps)) {
    this.#deps = deps;
    this.#fetch = fetch;
    this.#end = end;
    this.#slotShare = new SlotShare({
      ...deps.slots,
      acquire: (request) => acquireSlots(deps.sql, this.#id, request),
      isBusy: () => this.#activeIds.size > 0,
      onAcquired: () => {
        for (const claims of Object.values(this.#claims)) claims.proceed();
      },
      onError: (error) => deps.log.warn('a worker heartbeat failed', { error }),
    });
    this.#claims = byPriority((priority) => this.#createClaims(priority));
  }

  /** Call as early as possible before rows begin. */
  stayAlive(): Promise<void> {
    return this.#slotShare.start();
  }

  /** Begins a read whose credit is held. Returns false if no slot is free and the read waits for its turn. */
  async beginRead(readId: string): Promise<boolean> {
    const { sql } = this.#deps;
    await this.#slotShare.requestSlots('reads');
    if (this.#slotShare.free('reads') === 0) {
      await queueRead(sql, readId);
      this.wake('reads');
      return false;
    }
    await this.#begin('reads', 1, () => beginFetches(sql, [readId], this.#id), readId);
    return true;
  }

  /** Claims waiting rows as soon as there is a slot. */
  wake(priority: Priority): void {
    this.#claims[priority].wake();
  }

  /** Takes over fetches of dead workers, which bring their slots with them. */
  async adopt(): Promise<void> {
    let count = 0;
    await this.#slotShare.betweenHeartbeats(async () => {
      count = await this.#adoptLost();
    });
    if (count > 0) await this.stayAlive();
  }

  /** Leaves running fetches to other workers at once. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the service stops'));
    for (const claims of Object.values(this.#claims)) claims.stop();
    await Promise.allSettled([this.#slotShare.stop(), this.#running.whenIdle()]);
    await releaseSlots(this.#deps.sql, this.#id);
  }

  /** A fetch that may kill its workers runs one at a time, beside all others. Returns the number of fetches. */
  async #adoptLost(): Promise<number> {
    const activeIds = [...this.#activeIds];
    const adopt = (limit: number, areSuspect: boolean) =>
      adoptFetches(this.#deps.sql, this.#id, activeIds, { limit, areSuspect });
    const [suspect] = this.#suspectRun ? [] : await adopt(1, true);
    if (suspect) {
      this.#suspectRun = this.#run(suspect, null).finally(() => {
        this.#suspectRun = null;
      });
    }
    const { reads, jobs } = this.#deps.slots.max;
    // As many as one worker may have had.
    const fetches = await adopt(reads + jobs, false);
    for (const each of fetches) this.#run(each, null);
    return fetches.length + (suspect ? 1 : 0);
  }

  #createClaims(priority: Priority): RowClaims {
    const { sql, log } = this.#deps;
    return new RowClaims({
      priority,
      share: this.#slotShare,
      signal: this.#stopping.signal,
      log,
      claim: (slots) => claimRows(sql, { workerId: this.#id, priority, slots }),
      begin: (slots, statement) => this.#begin(priority, slots, statement),
    });
  }

  /** Reserves slots for the fetches that `statement` may begin, and runs them; `readId` is the read that opens one. */
  async #begin(
    priority: Priority,
    slots: number,
    statement: () => Promise<readonly StartedFetch[]>,
    readId: string | null = null,
  ): Promise<void> {
    this.#slotShare.use(priority, slots);
    let fetches: readonly StartedFetch[] = [];
    try {
      fetches = await statement();
    } finally {
      this.#slotShare.use(priority, -slots);
    }
    for (const each of fetches) void this.#run(each, readId);
  }

  #run(fetch: StartedFetch, readId: string | null): Promise<void> {
    const { priority } = fetch;
    this.#slotShare.use(priority, 1);
    let hasSlot = true;
    const releaseSlot = () => {
      if (!hasSlot) return;
      hasSlot = false;
      this.#slotShare.use(priority, -1);
      this.#claims[priority].proceed();
    };
    this.#activeIds.add(fetch.fetchId);
    return (
      this.#running
        .run(() => this.#fetchAndSave(fetch, readId, releaseSlot))
        // The fetch stays open and is taken over.
        .catch((error: unknown) => {
          const { fetchId } = fetch;
          if (!this.#stopping.signal.aborted)
            this.#deps.log.warn('saving the end of a fetch failed', { fetchId, error });
        })
        .finally(() => {
          this.#activeIds.delete(fetch.fetchId);
          releaseSlot();
        })
    );
  }

  async #fetchAndSave(fetch: StartedFetch, readId: string | null, releaseSlot: () => void): Promise<void> {
    const timeout = AbortSignal.timeout(MAX_FETCH_MS);
    const signal = AbortSignal.any([this.#stopping.signal, timeout]);
    const result = await this.#fetch(this.#deps, fetch, signal);
    this.#deps.outcomes.add(isRouteFault(result.end.error));
    releaseSlot();
    await this.#end({ ...result, fetch, readId }, this.#slotShare.used(fetch.priority) === 0);
  }
}
