import { setTimeout as sleep } from 'node:timers/promises';
import { serviceError } from '@tds/contracts';
import { crashPoint, isDatabaseAway } from '@tds/service-kit';
import type { Pool } from 'pg';
import { gather } from '../batching/gather.ts';
import { settleEach } from '../batching/settle-each.ts';
import type { LedgerAnswer, ReserveOutcome, ResolveOutcome } from '../domain/ledger-answer.ts';
import type { Database } from './database.ts';
import { readBalance, refundCharge } from './ledger-statements.ts';
import {
  applyOperations,
  type Operation,
  type OperationAnswer,
  type Reserve,
  type Resolve,
} from './operations.ts';

const MAX_BATCH = 128;
/** An operation's share of what a call costs once is half of its own cost then: with fewer, waiting is cheaper. */
const LARGE_BATCH = 32;
/** Far above what a commit takes: such a call waits for an account that somebody else keeps locked. */
const SLOW_AFTER_MS = 50;
const LANES = 4;
const BUSY_ATTEMPTS = 3;
const BUSY_PAUSE_MS = 50;
const RETRY_AFTER_SECONDS = 1;

/** Tells the world outside the database what was committed; never fails. */
export type Publish = (answers: readonly LedgerAnswer[]) => Promise<void>;

type Committed = { readonly answer: OperationAnswer; readonly published: Promise<void> };

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
export const createLedger = (db: Database, pool: Pool, publish: Publish) => {
  const call = async (operations: readonly Operation[]): Promise<Committed[]> => {
    const answers = await applyOperations(pool, operations);
    for (const { kind } of operations) crashPoint(`${kind}-committed`);
    // Not waited for here: the next batch need not wait for Redis.
    const published = publish(answers);
    return answers.map((answer) => ({ answer, published }));
  };
  const submit = gather({
    call: (operations: readonly Operation[]) => settleEach(call, operations, patience),
    maxBatch: MAX_BATCH,
    largeBatch: LARGE_BATCH,
    slowAfterMs: SLOW_AFTER_MS,
    lanes: LANES,
  });
  const ask = async (operation: Operation, signal: AbortSignal): Promise<OperationAnswer> => {
    const { answer, published } = await submit(operation, signal);
    // What is available changes with the reserve, milliseconds before anybody is told of a delivery; of a failure the
    // customer is told with the balance that has it back.
    if (operation.kind === 'release') await published;
    return answer;
  };
  const apply = <Outcome extends string>(operation: Operation, signal: AbortSignal) =>
    untilFree(() => ask(operation, signal)) as Promise<LedgerAnswer<Outcome>>;
  return {
    reserve: (given: Omit<Reserve, 'kind'>, signal: AbortSignal) =>
      apply<ReserveOutcome>({ kind: 'reserve', ...given }, signal),
    settle: (given: Omit<Resolve, 'kind'>, signal: AbortSignal) =>
      apply<ResolveOutcome>({ kind: 'settle', ...given }, signal),
    release: (given: Omit<Resolve, 'kind'>, signal: AbortSignal) =>
      apply<ResolveOutcome>({ kind: 'release', ...given }, signal),
    refund: async (ref: string, requestId: string) => {
      const answer = await untilFree(() => refundCharge(db, ref, requestId));
      await publish([answer]);
      return answer;
    },
    balance: async (accountId: string) => {
      const answer = await untilFree(() => readBalance(db, accountId));
      await publish([answer]);
      return answer;
    },
  };
};

export type Ledger = ReturnType<typeof createLedger>;
