import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway, type Log } from '@tds/base';
import type { Kit } from '@tds/kit';
import { countOverdue, createTurns } from '@tds/queue';
import type { AttemptOutcome, ClaimedDelivery } from '../store/attempts.ts';
import type { Surface } from '../surface.ts';
import { saveEach } from './save-outcomes.ts';

/** Pause between turns under load: a turn costs the same for one delivery as for many. */
const TURN_EVERY_MS = 10;
const RETRY_MS = 1_000;
/** A process that paused for longer between claim and attempt sends nothing: another process may have taken over. */
const MAX_LATE_MS = 10_000;
/** How long a stopping process waits for its attempts: longer than the deadline of one. */
const STOP_WITHIN_MS = 10_500;

type SenderDeps = {
  /** Saves outcomes that emit nothing, and claims up to `limit` deliveries. */
  readonly turn: (outcomes: readonly AttemptOutcome[], limit: number) => Promise<ClaimedDelivery[]>;
  /** Saves outcomes that may emit. */
  readonly save: (outcomes: readonly AttemptOutcome[]) => Promise<void>;
  readonly attempt: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptOutcome>;
  /** The outcome of a claim that is not sent. */
  readonly unsent: (delivery: ClaimedDelivery) => AttemptOutcome;
  /** Most concurrent attempts of this process. */
  readonly concurrency: number;
  readonly log: Pick<Log, 'warn'>;
};

type FinishedAttempt = AttemptOutcome & Pick<ClaimedDelivery, 'mayEmit'>;

/** Makes one attempt; its outcome is unsent if it could not be made. */
const createWork =
  ({ attempt, unsent, log }: SenderDeps, cutOff: AbortSignal) =>
  async ({ delivery, claimedAt }: Claim): Promise<FinishedAttempt> => {
    const { id: deliveryId, mayEmit } = delivery;
    if (performance.now() - claimedAt > MAX_LATE_MS) return { ...unsent(delivery), mayEmit };
    const outcome = await attempt(delivery, cutOff).catch((error) => {
      log.warn('could not attempt a webhook', { error, deliveryId });
      return unsent(delivery);
    });
    // The end of a receiver is emitted.
    return { ...outcome, mayEmit: mayEmit || outcome.isGone === true };
  };

type Claim = { readonly delivery: ClaimedDelivery; readonly claimedAt: number };

/** Saves what may emit by itself, and the rest in the statement that claims. */
const createTurn = ({ turn, save, log }: SenderDeps) => {
  const saveBatch = saveEach(save);
  const saveAlone = async (outcomes: readonly AttemptOutcome[]): Promise<void> => {
    if (outcomes.length === 0) return;
    // An outcome that cannot be saved counts as interrupted when its lease ends.
    for (const { outcome, error } of await saveBatch(outcomes))
      log.warn('cannot save the outcome of a webhook', { error, deliveryId: outcome.id });
  };
  return async (outcomes: readonly FinishedAttempt[], limit: number): Promise<Claim[]> => {
    const plain = outcomes.filter(({ mayEmit }) => !mayEmit);
    await saveAlone(outcomes.filter(({ mayEmit }) => mayEmit));
    if (plain.length === 0 && limit === 0) return [];
    const claimedAt = performance.now();
    try {
      return (await turn(plain, limit)).map((delivery) => ({ delivery, claimedAt }));
    } catch (error) {
      if (plain.length === 0 || isDatabaseAway(error)) throw error;
      // One of them cannot be saved, and must not hold up the others.
      await saveAlone(plain);
      return [];
    }
  };
};

/** Sends due deliveries from `start` to `stop`. `wake` says that a delivery may be due. */
export const createSender = (deps: SenderDeps) => {
  const [ending, cutOff] = [new AbortController(), new AbortController()];
  const work = createWork(deps, cutOff.signal);
  const turns = createTurns<Claim, FinishedAttempt>({
    turn: createTurn(deps),
    work,
    concurrency: deps.concurrency,
  });
  const hasEnded = () => ending.signal.aborted && turns.isIdle();
  let sending = Promise.resolve();
  const run = async (): Promise<void> => {
    while (!hasEnded()) {
      try {
        const count = await turns.take(!ending.signal.aborted);
        if (count > 0 || turns.hasUnsaved()) await delay(TURN_EVERY_MS);
        else if (!hasEnded()) await turns.wait();
      } catch (error) {
        deps.log.warn('could not save or claim webhooks', { error });
        // Other processes end the attempts that a stopping process cannot save.
        if (ending.signal.aborted) return;
        await delay(RETRY_MS);
      }
    }
  };
  return {
    wake: turns.wake,
    start(): void {
      sending = run();
    },
    async stop(): Promise<void> {
      ending.abort();
      turns.wake();
      const late = setTimeout(() => cutOff.abort(), STOP_WITHIN_MS);
      await sending;
      clearTimeout(late);
    },
  };
};

const BUCKETS_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** Registers the metrics of deliveries. Returns a function that observes the lag of claimed ones. */
export const measureDeliveries = ({ metrics, onBacklog, db }: Kit<Surface>) => {
  const lag = metrics.histogram(
    { name: 'tds_delivery_lag_seconds', help: 'Time from when a delivery could leave to its attempt' },
    BUCKETS_SECONDS,
  );
  onBacklog('deliveries', () => countOverdue(db, 'queues', 'due_at'));
  return (deliveries: ClaimedDelivery[]): ClaimedDelivery[] => {
    for (const { lagSeconds } of deliveries) lag.observe(lagSeconds);
    return deliveries;
  };
};
