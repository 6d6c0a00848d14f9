import { setTimeout as sleep } from 'node:timers/promises';
import { serviceError } from '@tds/contracts';
import { crashPoint, isDatabaseAway } from '@tds/service-kit';
import { gather } from '../batching/gather.ts';
import { settleEach } from '../batching/settle-each.ts';
import type { LedgerAnswer } from '../domain/ledger-answer.ts';
import type { Database, Sql } from './database.ts';
import { readBalance, releaseMany, reserveMany, settleMany } from './ledger-statements.ts';

const MAX_BATCH = 64;
/** Two, so that one can compute while the other one's commit reaches the disk. */
const LANES = 2;
const BUSY_ATTEMPTS = 3;
const BUSY_PAUSE_MS = 50;
const RETRY_AFTER_SECONDS = 1;

/** Tells the world outside the database what was committed; never fails. */
export type Publish = (answers: readonly LedgerAnswer[]) => Promise<void>;

type Committed<Answer> = { readonly answer: Answer; readonly published: Promise<void> };

const patience = {
  isPassing: isDatabaseAway,
  giveUp: (cause: unknown) =>
    serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause }),
};

/** An account that somebody else keeps locked is asked for a few times more. */
async function untilFree<Answer extends LedgerAnswer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    if (answer.outcome !== 'busy' || attempt === BUSY_ATTEMPTS) return answer;
    await sleep(BUSY_PAUSE_MS * (0.5 + Math.random()));
  }
}

/** The ledger's operations for single requests; those that arrive together share a statement and a commit. */
export const createLedger = (db: Database, publish: Publish) => {
  const shared = <Item, Answer extends LedgerAnswer>(
    committed: string,
    statement: (sql: Sql, items: readonly Item[]) => Promise<Answer[]>,
  ) => {
    const call = async (items: readonly Item[]): Promise<Committed<Answer>[]> => {
      const answers = await statement(db, items);
      crashPoint(committed);
      // Not waited for here: the next batch need not wait for Redis.
      const published = publish(answers);
      return answers.map((answer) => ({ answer, published }));
    };
    const submit = gather({
      call: (items: readonly Item[]) => settleEach(call, items, patience),
      maxBatch: MAX_BATCH,
      lanes: LANES,
    });
    const ask = async (item: Item, signal: AbortSignal): Promise<Answer> => {
      const { answer, published } = await submit(item, signal);
      await published;
      return answer;
    };
    return (item: Item, signal: AbortSignal) => untilFree(() => ask(item, signal));
  };
  return {
    reserve: shared('reserve-committed', reserveMany),
    settle: shared('settle-committed', settleMany),
    release: shared('release-committed', releaseMany),
    balance: async (accountId: string) => {
      const answer = await untilFree(() => readBalance(db, accountId));
      await publish([answer]);
      return answer;
    },
  };
};

export type Ledger = ReturnType<typeof createLedger>;
