import { setTimeout } from 'node:timers/promises';
import { createWakeSignal, type Log } from '@tds/base';
import type { Kit } from '@tds/kit';
import type { AttemptOutcome, ClaimedDelivery } from '../store/attempts.ts';
import type { Database } from '../store/database.ts';
import { overdueQueues } from '../store/queues.ts';
import type { Surface } from '../surface.ts';
import { createOutcomeSaver } from './save-outcomes.ts';

/** Deliveries in one transaction. */
const MOST_CLAIMED = 500;
/** Pause between claims under load: a claim costs the same for one delivery as for many. */
const CLAIM_EVERY_MS = 10;
/** A process that paused for longer between claim and attempt sends nothing: another process may have taken over. */
const MOST_LATE_MS = 10_000;
/** How long a stopping process waits for its attempts: longer than the deadline of one. */
const STOP_WITHIN_MS = 10_500;
const POLL_AT_STOP_MS = 10;

type SenderDeps = {
  /** Whether a claim may find anything. */
  readonly hasDue: () => Promise<boolean>;
  readonly claim: (most: number) => Promise<ClaimedDelivery[]>;
  readonly attempt: (claimed: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptOutcome>;
  /** The outcome of a claim that is not sent. */
  readonly unsent: (claimed: ClaimedDelivery) => AttemptOutcome;
  readonly save: (outcomes: readonly AttemptOutcome[]) => Promise<void>;
  /** Most concurrent attempts of this process. */
  readonly atOnce: number;
  readonly log: Pick<Log, 'warn'>;
};

/** Makes attempts concurrently and saves their outcomes. */
const createAttempts = (
  { attempt, unsent, save, log }: SenderDeps,
  ending: AbortSignal,
  onRoom: () => void,
) => {
  const cutOff = new AbortController();
  let running = 0;
  const onSaved = (count: number) => {
    running -= count;
    onRoom();
  };
  const saver = createOutcomeSaver({ save, onSaved, ending, log });
  const make = async (claimed: ClaimedDelivery, claimedAt: number): Promise<void> => {
    const isLate = performance.now() - claimedAt > MOST_LATE_MS;
    saver.add(isLate ? unsent(claimed) : await attempt(claimed, cutOff.signal));
  };
  return {
    running: () => running,
    begin(claimed: ClaimedDelivery, claimedAt: number): void {
      running += 1;
      make(claimed, claimedAt).catch((error) => {
        log.warn('could not attempt a webhook', { error, deliveryId: claimed.id });
        saver.add(unsent(claimed));
      });
    },
    /** Waits as long as an attempt may take, aborts the rest, and saves all outcomes. */
    async end(): Promise<void> {
      const endsAt = performance.now() + STOP_WITHIN_MS;
      while (running > 0 && performance.now() < endsAt) await setTimeout(POLL_AT_STOP_MS);
      cutOff.abort();
      await setTimeout(POLL_AT_STOP_MS);
      await saver.drain();
    },
  };
};

/** Sends due deliveries from `start` to `stop`. `wake` says that a delivery may be due. */
export const createSender = (deps: SenderDeps) => {
  const { hasDue, claim, atOnce, log } = deps;
  const ending = new AbortController();
  const { wake, wait } = createWakeSignal();
  const attempts = createAttempts(deps, ending.signal, wake);
  let running = Promise.resolve();

  /** Starts one batch; false if none is due or there is no room. An idle sender polls first, which is cheaper than a claim. */
  const startBatch = async (isIdle: boolean): Promise<boolean> => {
    const room = Math.min(atOnce - attempts.running(), MOST_CLAIMED);
    if (room <= 0 || (isIdle && !(await hasDue()))) return false;
    const claimedAt = performance.now();
    const claimed = await claim(room);
    for (const each of claimed) attempts.begin(each, claimedAt);
    return claimed.length > 0;
  };

  const run = async (): Promise<void> => {
    let hasStarted = true;
    while (!ending.signal.aborted) {
      hasStarted = await startBatch(!hasStarted).catch((error) => {
        log.warn('could not claim webhooks', { error });
        return false;
      });
      if (hasStarted) await setTimeout(CLAIM_EVERY_MS);
      else await wait();
    }
  };

  return {
    wake,
    start(): void {
      running = run();
    },
    async stop(): Promise<void> {
      ending.abort();
      wake();
      await running;
      await attempts.end();
    },
  };
};

const BUCKETS_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** Registers the metrics of deliveries. Returns a function that observes the lag of claimed ones. */
export const measureDeliveries = ({ measures, onBacklog }: Kit<Surface>, db: Database) => {
  const lag = measures.histogram(
    { name: 'tds_delivery_lag_seconds', help: 'Time from when a delivery could leave to its attempt' },
    BUCKETS_SECONDS,
  );
  onBacklog('deliveries', () => overdueQueues(db));
  return (claimed: ClaimedDelivery[]): ClaimedDelivery[] => {
    for (const { lagSeconds } of claimed) lag.observe(lagSeconds);
    return claimed;
  };
};
