import { setTimeout as delay } from 'node:timers/promises';
import { createWakeSignal, isDatabaseAway, type Log } from '@tds/base';
import type { Kit } from '@tds/kit';
import type { AttemptOutcome, ClaimedDelivery } from '../store/attempts.ts';
import type { Database } from '../store/database.ts';
import { overdueQueues } from '../store/queues.ts';
import type { Surface } from '../surface.ts';
import { saveEach } from './save-outcomes.ts';

/** Outcomes, and deliveries, in one turn. */
const MAX_DELIVERIES_PER_TURN = 500;
/** Pause between turns under load: a turn costs the same for one delivery as for many. */
const TURN_EVERY_MS = 10;
const RETRY_MS = 1_000;
/** A process that paused for longer between claim and attempt sends nothing: another process may have taken over. */
const MAX_LATE_MS = 10_000;
/** How long a stopping process waits for its attempts: longer than the deadline of one. */
const STOP_WITHIN_MS = 10_500;

type SenderDeps = {
  /** Saves outcomes that emit nothing, and claims up to `most` deliveries. */
  readonly turn: (outcomes: readonly AttemptOutcome[], most: number) => Promise<ClaimedDelivery[]>;
  /** Saves outcomes that may emit. */
  readonly save: (outcomes: readonly AttemptOutcome[]) => Promise<void>;
  readonly attempt: (claimed: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptOutcome>;
  /** The outcome of a claim that is not sent. */
  readonly unsent: (claimed: ClaimedDelivery) => AttemptOutcome;
  /** Most concurrent attempts of this process. */
  readonly atOnce: number;
  readonly log: Pick<Log, 'warn'>;
};

/** Makes attempts concurrently, and keeps their outcomes until they are saved. */
const createAttempts = ({ attempt, unsent, log }: SenderDeps, cutOff: AbortSignal, onEnd: () => void) => {
  /** Those that emit nothing are saved in the next turn. */
  const ended = { plain: [] as AttemptOutcome[], emitting: [] as AttemptOutcome[] };
  let unsaved = 0;
  const make = async (claimed: ClaimedDelivery, claimedAt: number): Promise<AttemptOutcome> => {
    if (performance.now() - claimedAt > MAX_LATE_MS) return unsent(claimed);
    return attempt(claimed, cutOff).catch((error) => {
      log.warn('could not attempt a webhook', { error, deliveryId: claimed.id });
      return unsent(claimed);
    });
  };
  return {
    ended,
    unsaved: () => unsaved,
    async begin(claimed: ClaimedDelivery, claimedAt: number): Promise<void> {
      unsaved += 1;
      const outcome = await make(claimed, claimedAt);
      ended[claimed.mayEmit ? 'emitting' : 'plain'].push(outcome);
      onEnd();
    },
    saved(outcomes: AttemptOutcome[], count: number): void {
      outcomes.splice(0, count);
      unsaved -= count;
    },
  };
};

/** Each turn saves the outcomes that have come since the one before, and claims what is due. */
const createTurns = (
  { turn, save, atOnce, log }: SenderDeps,
  attempts: ReturnType<typeof createAttempts>,
  ending: AbortSignal,
) => {
  const { plain, emitting } = attempts.ended;
  const saveThem = saveEach(save);
  const saveEmitting = async (): Promise<void> => {
    const batch = emitting.slice(0, MAX_DELIVERIES_PER_TURN);
    if (batch.length === 0) return;
    // An outcome that cannot be saved counts as interrupted when its lease ends.
    for (const { outcome, error } of await saveThem(batch))
      log.warn('cannot save the outcome of a webhook', { error, deliveryId: outcome.id });
    attempts.saved(emitting, batch.length);
  };
  /** Returns whether there may be more to do at once. */
  return async (): Promise<boolean> => {
    await saveEmitting();
    const batch = plain.slice(0, MAX_DELIVERIES_PER_TURN);
    const room = ending.aborted
      ? 0
      : Math.min(atOnce - attempts.unsaved() + batch.length, MAX_DELIVERIES_PER_TURN);
    if (batch.length === 0 && room <= 0) return emitting.length > 0;
    const claimedAt = performance.now();
    try {
      const claimed = await turn(batch, room);
      attempts.saved(plain, batch.length);
      for (const each of claimed) void attempts.begin(each, claimedAt);
      return claimed.length > 0;
    } catch (error) {
      if (batch.length === 0 || isDatabaseAway(error)) throw error;
      // One of them cannot be saved, and must not hold up the others.
      emitting.push(...plain.splice(0, batch.length));
      return true;
    }
  };
};

/** Sends due deliveries from `start` to `stop`. `wake` says that a delivery may be due. */
export const createSender = (deps: SenderDeps) => {
  const [ending, cutOff] = [new AbortController(), new AbortController()];
  const { wake, wait } = createWakeSignal();
  const attempts = createAttempts(deps, cutOff.signal, wake);
  const takeTurn = createTurns(deps, attempts, ending.signal);
  const hasEnded = () => ending.signal.aborted && attempts.unsaved() === 0;
  let sending = Promise.resolve();
  const run = async (): Promise<void> => {
    while (!hasEnded()) {
      try {
        if (await takeTurn()) await delay(TURN_EVERY_MS);
        else if (!hasEnded()) await wait();
      } catch (error) {
        deps.log.warn('could not save or claim webhooks', { error });
        // Other processes end the attempts that a stopping process cannot save.
        if (ending.signal.aborted) return;
        await delay(RETRY_MS);
      }
    }
  };
  return {
    wake,
    start(): void {
      sending = run();
    },
    async stop(): Promise<void> {
      ending.abort();
      wake();
      const late = setTimeout(() => cutOff.abort(), STOP_WITHIN_MS);
      await sending;
      clearTimeout(late);
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
