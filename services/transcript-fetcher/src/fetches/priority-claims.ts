import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@tds/base';
import type { StartedFetch } from '../domain/fetch.ts';
import type { Priority } from '../domain/operation.ts';
import type { SlotShare } from './slot-share.ts';
import type { claimRows } from './store/rows.ts';

/** A claim of one row costs as much as one of eight, so free slots of jobs are collected briefly. */
const COLLECT_MS = 40;

type PriorityClaimsOptions = {
  readonly priority: Priority;
  readonly share: SlotShare;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Claims rows for at most `slots` slots. */
  readonly claim: (slots: number) => ReturnType<typeof claimRows>;
  /** Runs what `statement` claims, at most `slots` fetches. */
  readonly begin: (slots: number, statement: () => Promise<readonly StartedFetch[]>) => Promise<void>;
};

/** Claims the waiting rows of a priority while this process has slots for them. */
export class RowClaims {
  readonly #options: PriorityClaimsOptions;
  /** Rows may be waiting. */
  #hasRows = false;
  #isClaiming = false;
  #collecting: NodeJS.Timeout | null = null;

  constructor(options: PriorityClaimsOptions) {
    this.#options = options;
  }

  /** Rows may be waiting: claims them as soon as there is a slot. */
  wake(): void {
    this.#hasRows = true;
    this.proceed();
  }

  /** A slot may be free. */
  proceed(): void {
    const { priority, share, signal } = this.#options;
    if (!this.#hasRows || this.#isClaiming || this.#collecting || signal.aborted) return;
    if (!share.mayHaveFree(priority)) return;
    const [free, used] = [share.free(priority), share.used(priority)];
    const shouldClaimNow = priority === 'reads' || free === 0 || free * 2 >= used;
    if (shouldClaimNow) return void this.#claimAll();
    this.#collecting = setTimeout(() => {
      this.#collecting = null;
      void this.#claimAll();
    }, COLLECT_MS);
  }

  stop(): void {
    if (this.#collecting) clearTimeout(this.#collecting);
  }

  async #claimAll(): Promise<void> {
    const { priority, share, signal, log } = this.#options;
    this.#isClaiming = true;
    try {
      while (!signal.aborted && this.#hasRows && (await share.requestSlots(priority)) > 0) await this.#claim();
    } catch (error) {
      log.warn('claiming rows failed', { priority, error });
    } finally {
      this.#isClaiming = false;
    }
    this.proceed();
  }

  async #claim(): Promise<void> {
    const { priority, share, begin, claim } = this.#options;
    const slots = share.free(priority);
    if (slots === 0) return;
    // A wake-up during the claim sets it again.
    this.#hasRows = false;
    await begin(slots, async () => {
      const claimed = await claim(slots);
      if (claimed === null) return [];
      this.#hasRows = true;
      // Another worker is claiming the same batches.
      if (claimed.rows === 0) await delay(COLLECT_MS);
      return claimed.begun;
    });
  }
}
