import { createBatcher, isDatabaseAway, retryThenSplit } from '@tds/base';
import { creditsLedger } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Kit } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import { DelegateBackoff, handleWhenResult, retry } from 'cockatiel';
import type { Pool } from 'pg';
import {
  type LedgerAnswer,
  newestBalances,
  type PartsAnswer,
  type ReserveOutcome,
  type ResolveOutcome,
} from '../domain/replies.ts';
import { readBalance } from '../store/accounts.ts';
import {
  type Block,
  type CorrectBlockRequest,
  correctBlock,
  type GrantPurchasesRequest,
  grantPurchases,
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
import {
  type ChargePartsRequest,
  chargeParts,
  type RefundPartsRequest,
  refundParts,
} from '../store/reservations.ts';
import type { Surface } from '../surface.ts';

/** Publishes committed balances; never rejects. */
export type PublishBalances = (answers: readonly LedgerAnswer[]) => Promise<void>;

/** Updates the projection of balances and wakes the outbox. Both repeat after failures, so a committed operation never seems to fail. */
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
  /** A second call starts beside the first for this many operations; for fewer, its fixed cost exceeds the wait. */
  largeBatch: 32,
  /** A call this slow waits for an account that another transaction has locked. */
  slowAfterMs: 50,
  maxCalls: 4,
};
const BUSY_RETRIES = 2;
const BUSY_PAUSE_MS = 50;
const RETRY_AFTER_SECONDS = 1;

type CommittedAnswer = { readonly answer: OperationAnswer; readonly published: Promise<void> };

const failures = {
  isTransient: isDatabaseAway,
  giveUp: (cause: unknown) =>
    serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause }),
};

const isBusy = (answered: unknown): boolean =>
  [answered as LedgerAnswer | readonly LedgerAnswer[]].flat().some(({ outcome }) => outcome === 'busy');

/** Retries an account that another transaction has locked, twice; then answers `busy`. */
const whileBusy = retry(handleWhenResult(isBusy), {
  maxAttempts: BUSY_RETRIES,
  backoff: new DelegateBackoff(() => BUSY_PAUSE_MS * (0.5 + Math.random())),
});

/** Applies operations; those that arrive together share a statement and a commit. */
const createApply = (pool: Pool, publishBalances: PublishBalances) => {
  const call = async (operations: readonly Operation[]): Promise<CommittedAnswer[]> => {
    const answers = await applyOperations(pool, operations);
    for (const { kind } of operations) crashPoint(`${kind}-committed`);
    // Not awaited, so that the next batch does not wait for Redis.
    const published = publishBalances(answers);
    return answers.map((answer) => ({ answer, published }));
  };
  const submit = createBatcher({ call: retryThenSplit(call, failures), ...BATCHES });
  const applyOnce = async (operation: Operation, signal: AbortSignal): Promise<OperationAnswer> => {
    const { answer, published } = await submit(operation, signal);
    // The balance shown after a failed delivery must include its credits again. A reserve is published long before its delivery is
    // answered, and a settlement does not change the available credits.
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

type ResolvePartsRequest = {
  readonly ref: string;
  readonly charge: readonly number[];
  readonly giveBack: readonly number[];
  readonly requestId: string;
};

export const createLedger = ({ db, pool, publishBalances }: LedgerDeps) => {
  const apply = createApply(pool, publishBalances);
  const published = async <Answered extends LedgerAnswer | readonly LedgerAnswer[]>(
    statement: () => Promise<Answered>,
  ): Promise<Answered> => {
    const answered = await whileBusy.execute(statement);
    await publishBalances([answered].flat());
    return answered;
  };
  return {
    reserve: (given: Omit<Reserve, 'kind'>, signal: AbortSignal) =>
      apply<ReserveOutcome>({ kind: 'reserve', ...given }, signal),
    /** Answers the settlement, the release, or both. */
    resolve: async ({ ref, charge, giveBack, requestId }: ResolvePartsRequest, signal: AbortSignal) => {
      const given = { ref, requestId };
      const operations: Resolve[] = [];
      if (charge.length > 0) operations.push({ kind: 'settle', parts: charge, ...given });
      if (giveBack.length > 0 || charge.length === 0)
        operations.push({ kind: 'release', parts: giveBack, ...given });
      const answers: PartsAnswer<ResolveOutcome>[] = [];
      // In turn: the last answer has the parts that are still held.
      for (const operation of operations) answers.push(await apply<ResolveOutcome>(operation, signal));
      return answers;
    },
    charge: (given: ChargePartsRequest) => published(() => chargeParts(db, given)),
    refund: (given: RefundPartsRequest) => published(() => refundParts(db, given)),
    grantPurchases: (given: GrantPurchasesRequest) => published(() => grantPurchases(db, given)),
    takeBackBlock: (given: Block) => published(() => takeBackBlock(db, given)),
    correctBlock: (given: CorrectBlockRequest) => published(() => correctBlock(db, given)),
    balance: (accountId: string) => published(() => readBalance(db, accountId)),
  };
};

export type Ledger = ReturnType<typeof createLedger>;
