import { createBackoff, createKeyedQueue, isDatabaseAway, retry, type Sql } from '@tds/base';
import { creditsLedger, type RequestOf } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import {
  type LedgerAnswer,
  type PartsAnswer,
  pickNewestBalances,
  type ResolveOutcome,
} from '../domain/replies.ts';
import { readBalance } from '../store/accounts.ts';
import {
  type Block,
  type CorrectBlockRequest,
  correctBlock,
  type GrantPurchasesRequest,
  grantPurchase,
  takeBackBlock,
} from '../store/blocks.ts';
import type { Database } from '../store/database.ts';
import {
  type ChargePartsRequest,
  chargeParts,
  type RefundPartsRequest,
  type ReservePartsRequest,
  type Resolve,
  refundParts,
  reserveParts,
  resolveParts,
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
      pickNewestBalances(answers).map((balance) =>
        projections.writeIfNewer(creditsLedger.balance, [balance.accountId], balance, balance.version),
      ),
    );
  };

const isBusy = ({ outcome }: LedgerAnswer): boolean => outcome === 'busy';

const BUSY_RETRIES = 2;
const BUSY_PAUSE_MS = 100;

/** Asks twice more while another transaction has the account locked; then the answer is `busy`. */
const retryWhileBusy = async <Answer extends LedgerAnswer>(
  statement: () => Promise<Answer>,
): Promise<Answer> => {
  const backoff = createBackoff({ firstMs: BUSY_PAUSE_MS, maxMs: BUSY_PAUSE_MS });
  for (let retries = BUSY_RETRIES; ; retries -= 1) {
    const answer = await statement();
    if (retries === 0 || !isBusy(answer)) return answer;
    await backoff.pause();
  }
};

/** While the database is away: a repeat by ref finds what was committed. */
const WHILE_AWAY = { isTransient: isDatabaseAway, retries: 4, firstMs: 50 };

type Operation<Outcome extends string> = {
  readonly kind: 'reserve' | Resolve['kind'];
  readonly call: (waitMs: number) => Promise<PartsAnswer<Outcome>>;
  readonly signal: AbortSignal;
};

/** Longer than all connections of this process take for operations on one account. */
const SHORT_WAIT_MS = 50;
const LONG_WAIT_MS = 1_000;

/**
 * Applies operations on parts, each in one statement. Operations on an account that stays locked queue for it, so that they hold one
 * connection, whatever their number. If the first waits in vain, the account is busy for all that wait.
 */
const createApply = (publishBalances: PublishBalances) => {
  const queue = createKeyedQueue<PartsAnswer>();
  const apply = async <Outcome extends string>({
    call,
    signal,
  }: Operation<Outcome>): Promise<PartsAnswer> => {
    signal.throwIfAborted();
    const answer = await call(SHORT_WAIT_MS);
    if (!isBusy(answer)) return answer;
    return queue(answer.accountId ?? '', async (previous) => {
      signal.throwIfAborted();
      return previous && isBusy(previous) ? answer : call(LONG_WAIT_MS);
    });
  };
  return async <Outcome extends string>(operation: Operation<Outcome>): Promise<PartsAnswer<Outcome>> => {
    const answer = await retry(() => apply(operation), WHILE_AWAY);
    crashPoint(`${operation.kind}-committed`);
    const publication = publishBalances([answer]);
    // The balance shown after a failed delivery must include its credits again. A reserve is published long before its delivery is
    // answered, and a settlement does not change the available credits.
    if (operation.kind === 'release') await publication;
    return answer as PartsAnswer<Outcome>;
  };
};

type LedgerDeps = {
  readonly db: Database;
  readonly sql: Sql;
  readonly publishBalances: PublishBalances;
};

type ResolvePartsRequest = RequestOf<typeof creditsLedger.resolveParts> & { readonly requestId: string };

export const createLedger = ({ db, sql, publishBalances }: LedgerDeps) => {
  const apply = createApply(publishBalances);
  const runAndPublish = async <Answer extends LedgerAnswer>(
    statement: () => Promise<Answer>,
  ): Promise<Answer> => {
    const answer = await retryWhileBusy(statement);
    await publishBalances([answer]);
    return answer;
  };
  const resolve = (request: Resolve, signal: AbortSignal) =>
    apply({ kind: request.kind, call: (waitMs) => resolveParts(sql, request, waitMs), signal });
  return {
    reserve: (request: ReservePartsRequest, signal: AbortSignal) =>
      apply({ kind: 'reserve', call: (waitMs) => reserveParts(sql, request, waitMs), signal }),
    /** Answers the settlement, the release, or both. */
    resolve: async ({ charge, release, ...common }: ResolvePartsRequest, signal: AbortSignal) => {
      const answers: PartsAnswer<ResolveOutcome>[] = [];
      // In turn: the last answer has the parts that are still held.
      if (charge.length > 0)
        answers.push(await resolve({ kind: 'settle', parts: charge, ...common }, signal));
      if (release.length > 0 || charge.length === 0)
        answers.push(await resolve({ kind: 'release', parts: release, ...common }, signal));
      return answers;
    },
    charge: (request: ChargePartsRequest) => runAndPublish(() => chargeParts(sql, request)),
    refund: (request: RefundPartsRequest) => runAndPublish(() => refundParts(sql, request)),
    grantPurchases: async ({ purchases, requestId }: GrantPurchasesRequest) => {
      const answers = [];
      for (const purchase of purchases)
        answers.push(await runAndPublish(() => grantPurchase(db, { ...purchase, requestId })));
      return answers;
    },
    takeBackBlock: (request: Block) => runAndPublish(() => takeBackBlock(db, request)),
    correctBlock: (request: CorrectBlockRequest) => runAndPublish(() => correctBlock(db, request)),
    balance: (accountId: string) => runAndPublish(() => readBalance(db, accountId)),
  };
};

export type Ledger = ReturnType<typeof createLedger>;
