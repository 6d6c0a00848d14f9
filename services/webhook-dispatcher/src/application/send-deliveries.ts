import { setTimeout } from 'node:timers/promises';
import { createWakeSignal, type Kit, type Log } from '@tds/service-kit';
import type { Claimed, Outcome } from '../store/attempts.ts';
import type { Database } from '../store/database.ts';
import { overdueQueues } from '../store/queues.ts';
import type { Surface } from '../surface.ts';
import { createOutcomeSaver } from './save-outcomes.ts';

/** Of one transaction. */
const MOST_CLAIMED = 500;
/** Claims are so far apart while there is much to send: the costs of a claim are per claim. */
const CLAIM_EVERY_MS = 10;
/** A process that stood still for so long between claim and attempt sends nothing any more: others may have taken it for lost. */
const MOST_LATE_MS = 10_000;
/** What is under way when the process ends has so long: longer than the deadline of an attempt. */
const ENDS_WITHIN_MS = 10_500;
const LOOK_AT_END_MS = 10;

type SenderParts = {
  /** Whether a claim may find something. */
  hasDue(): Promise<boolean>;
  claim(most: number): Promise<Claimed[]>;
  attempt(claimed: Claimed, signal: AbortSignal): Promise<Outcome>;
  /** Of one that does not leave. */
  unsent(claimed: Claimed): Outcome;
  save(outcomes: readonly Outcome[]): Promise<void>;
  /** How many attempts this process makes at once. */
  readonly atOnce: number;
  readonly log: Pick<Log, 'warn'>;
};

export type DeliverySender = {
  /** Something has been promised, or is due. */
  wake(): void;
  stop(): Promise<void>;
};

/** The attempts of this process, as many at once as it may make. */
const createAttempts = (
  { attempt, unsent, save, log }: SenderParts,
  ending: AbortSignal,
  onRoom: () => void,
) => {
  const cutOff = new AbortController();
  let underWay = 0;
  const leave = (count: number) => {
    underWay -= count;
    onRoom();
  };
  const saver = createOutcomeSaver({ save, onSaved: leave, ending, log });
  const make = async (claimed: Claimed, claimedAt: number): Promise<void> => {
    const isLate = performance.now() - claimedAt > MOST_LATE_MS;
    saver.add(isLate ? unsent(claimed) : await attempt(claimed, cutOff.signal));
  };
  return {
    underWay: () => underWay,
    begin(claimed: Claimed, claimedAt: number): void {
      underWay += 1;
      make(claimed, claimedAt).catch((error) => {
        log.warn('a webhook could not be attempted', { error, deliveryId: claimed.id });
        saver.add(unsent(claimed));
      });
    },
    /** Waits for them as long as an attempt may take, then cuts them off, which is saved as well. */
    async end(): Promise<void> {
      const endsAt = performance.now() + ENDS_WITHIN_MS;
      while (underWay > 0 && performance.now() < endsAt) await setTimeout(LOOK_AT_END_MS);
      cutOff.abort();
      await setTimeout(LOOK_AT_END_MS);
      await saver.drain();
    },
  };
};

/** Sends whatever is due, and saves what has become of it. */
export const startSender = (parts: SenderParts): DeliverySender => {
  const { hasDue, claim, atOnce, log } = parts;
  const ending = new AbortController();
  const { wake, wait } = createWakeSignal();
  const attempts = createAttempts(parts, ending.signal, wake);

  /** Begins one batch; false where nothing is due, or there is no room. After one that found nothing it first looks, which is cheaper. */
  const turn = async (isIdle: boolean): Promise<boolean> => {
    const room = Math.min(atOnce - attempts.underWay(), MOST_CLAIMED);
    if (room <= 0 || (isIdle && !(await hasDue()))) return false;
    const claimedAt = performance.now();
    const claimed = await claim(room);
    for (const each of claimed) attempts.begin(each, claimedAt);
    return claimed.length > 0;
  };

  const run = async (): Promise<void> => {
    let hasBegun = true;
    while (!ending.signal.aborted) {
      hasBegun = await turn(!hasBegun).catch((error) => {
        log.warn('webhooks could not be claimed', { error });
        return false;
      });
      if (hasBegun) await setTimeout(CLAIM_EVERY_MS);
      else await wait();
    }
  };
  const running = run();

  return {
    wake,
    async stop() {
      ending.abort();
      wake();
      await running;
      await attempts.end();
    },
  };
};

const BUCKETS_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** What operators see of deliveries; what it returns notes how late claimed ones leave. */
export const measureDeliveries = ({ measures, onBacklog }: Kit<Surface>, db: Database) => {
  const lag = measures.histogram(
    { name: 'tds_delivery_lag_seconds', help: 'Time from when a delivery could leave to its attempt' },
    BUCKETS_SECONDS,
  );
  onBacklog('deliveries', () => overdueQueues(db));
  return (claimed: Claimed[]): Claimed[] => {
    for (const { lagSeconds } of claimed) lag.observe(lagSeconds);
    return claimed;
  };
};
