import { creditsLedger, serviceError } from '@tds/contracts';
import { crashPoint, createBatcher, isDatabaseAway, type Kit, retryThenSplit } from '@tds/service-kit';
import { DelegateBackoff, handleWhenResult, retry } from 'cockatiel';
import type { Pool } from 'pg';
import {
  type LedgerAnswer,
  newestBalances,
  type PartsAnswer,
  type ReserveOutcome,
  type ResolveOutcome,
} from '../domain/ledger-answer.ts';
import { readBalance } from '../store/accounts.ts';
import {
  type Block,
  type Correction,
  correctBlock,
  grantPurchases,
  type Purchases,
  takeBackBlock,
} from '../store/blocks.ts';
import type { Database } from '../store/database.ts';
import {
  applyOperations,
  type Operation,
  type OperationAnswer,
  type Reserve,
  type Resolve,
} from '../store/operations.ts';
import { type Charge, chargeParts, type Refund, refundParts } from '../store/reservations.ts';
import type { Surface } from '../surface.ts';

/** Makes committed balances known outside the database; never rejects. */
export type PublishBalances = (answers: readonly LedgerAnswer[]) => Promise<void>;

/**
 * Updates the projection of balances and wakes the outbox's relay. Projections swallow their failures and the outbox is swept
 * anyway, so nothing that was committed is reported as failed.
 */
export const createPublishBalances =
  ({ projections, messaging }: Pick<Kit<Surface>, 'projections' | 'messaging'>): PublishBalances =>
  async (answers) => {
    if (answers.some(({ hasEvents }) => hasEvents)) messaging.wake();
    await Promise.all(
      newestBalances(answers).map((balance) =>
        projections.writeIfNewer(creditsLedger.balance, [balance.accountId], balance, balance.version),
      ),
    );
  };

const BATCHES = {
  maxBatch: 128,
  /**
   * With this many operations the fixed cost of a call adds half to the cost of each, so a second call beside the first pays.
   * With fewer, waiting for the first to end is cheaper.
   */
  largeBatch: 32,
  /** Far above what a commit takes: a call this slow waits for an account that another transaction keeps locked. */
  slowAfterMs: 50,
  maxCalls: 4,
};
const BUSY_RETRIES = 2;
const BUSY_PAUSE_MS = 50;
const RETRY_AFTER_SECONDS = 1;

type Committed = { readonly answer: OperationAnswer; readonly published: Promise<void> };

const failures = {
  isTransient: isDatabaseAway,
  giveUp: (cause: unknown) =>
    serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause }),
};

const isBusy = (answered: unknown): boolean =>
  [answered as LedgerAnswer | readonly LedgerAnswer[]].flat().some(({ outcome }) => outcome === 'busy');

/** An account that another transaction keeps locked is tried twice more; the last answer says that it is busy. */
const whileBusy = retry(handleWhenResult(isBusy), {
  maxAttempts: BUSY_RETRIES,
  backoff: new DelegateBackoff(() => BUSY_PAUSE_MS * (0.5 + Math.random())),
});

/** Applies single operations; those that arrive together share a statement and a commit. */
const createApply = (pool: Pool, publishBalances: PublishBalances) => {
  const call = async (operations: readonly Operation[]): Promise<Committed[]> => {
    const answers = await applyOperations(pool, operations);
    for (const { kind } of operations) crashPoint(`${kind}-committed`);
    // Not awaited: the next batch must not wait for Redis.
    const published = publishBalances(answers);
    return answers.map((answer) => ({ answer, published }));
  };
  const submit = createBatcher({ call: retryThenSplit(call, failures), ...BATCHES });
  const applyOnce = async (operation: Operation, signal: AbortSignal): Promise<OperationAnswer> => {
    const { answer, published } = await submit(operation, signal);
    // The balance that follows a failed delivery shows the credits again, so a release is answered only when it is published.
    // A reserve is published long before its delivery is answered, and a settlement leaves what is available as it is.
    if (operation.kind === 'release') await published;
    return answer;
  };
  return <Outcome extends string>(operation: Operation, signal: AbortSignal) =>
    whileBusy.execute(() => applyOnce(operation, signal)) as Promise<PartsAnswer<Outcome>>;
};

type LedgerDeps = {
  readonly db: Database;
  readonly pool: Pool;
  readonly publishBalances: PublishBalances;
};

type Resolving = {
  readonly ref: string;
  readonly charge: readonly number[];
  readonly giveBack: readonly number[];
  readonly requestId: string;
};

/** The ledger's operations. */
export const createLedger = ({ db, pool, publishBalances }: LedgerDeps) => {
  const apply = createApply(pool, publishBalances);
  const published = async <Answered extends LedgerAnswer | readonly LedgerAnswer[]>(
    ask: () => Promise<Answered>,
  ): Promise<Answered> => {
    const answered = await whileBusy.execute(ask);
    await publishBalances([answered].flat());
    return answered;
  };
  return {
    reserve: (given: Omit<Reserve, 'kind'>, signal: AbortSignal) =>
      apply<ReserveOutcome>({ kind: 'reserve', ...given }, signal),
    /** An answer for what is charged, and one for what is given back; one at least. */
    resolve: async ({ ref, charge, giveBack, requestId }: Resolving, signal: AbortSignal) => {
      const given = { ref, requestId };
      const operations: Resolve[] = [];
      if (charge.length > 0) operations.push({ kind: 'settle', parts: charge, ...given });
      if (giveBack.length > 0 || charge.length === 0)
        operations.push({ kind: 'release', parts: giveBack, ...given });
      const answers: PartsAnswer<ResolveOutcome>[] = [];
      // What is held is told after both.
      for (const operation of operations) answers.push(await apply<ResolveOutcome>(operation, signal));
      return answers;
    },
    charge: (given: Charge) => published(() => chargeParts(db, given)),
    refund: (given: Refund) => published(() => refundParts(db, given)),
    grantPurchases: (given: Purchases) => published(() => grantPurchases(db, given)),
    takeBackBlock: (given: Block) => published(() => takeBackBlock(db, given)),
    correctBlock: (given: Correction) => published(() => correctBlock(db, given)),
    balance: (accountId: string) => published(() => readBalance(db, accountId)),
  };
};

export type Ledger = ReturnType<typeof createLedger>;
