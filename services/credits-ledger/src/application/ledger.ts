import { createBackoff, createKeyedQueue, isDatabaseAway, retry, type Sql } from '@tds/base';
import { creditsLedger, type RequestOf } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import type { ItemsAnswer, LedgerAnswer, ResolveOutcome } from '../domain/replies.ts';
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
  type ChargeItemsRequest,
  chargeItems,
  type RefundItemsRequest,
  type ReserveItemsRequest,
  type Resolve,
  refundItems,
  reserveItems,
  resolveItems,
} from '../store/reservations.ts';
import type { Surface } from '../surface.ts';

/** Publishes committed balances; never rejects. */
export type PublishBalances = (answers: readonly LedgerAnswer[]) => Promise<void>;

/** Updates the projection of balances and wakes the outbox. Both repeat after failures, so a committed operation never seems to fail. */
export const createPublishBalances =
  ({ projections, messaging }: Pick<Kit<Surface>, 'projections' | 'messaging'>): PublishBalances =>
  async (answers) => {
    if (answers.some(({ hasEvents }) => hasEvents)) messaging.wake();
    const balances = answers.flatMap(({ balance }) => balance ?? []);
    await Promise.all(
      balances.map((balance) =>
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
  readonly call: (waitMs: number) => Promise<ItemsAnswer<Outcome>>;
  readonly signal: AbortSignal;
};

/** Longer than all connections of this process take for operations on one account. */
const SHORT_WAIT_MS = 50;
const LONG_WAIT_MS = 1_000;

/**
 * Applies operations on items, each in one statement. Operations on an account that stays locked queue for it, so that they hold one
 * connection, whatever their number. If the first waits in vain, the account is busy for all that wait.
 */
const createApply = (publishBalances: PublishBalances) => {
  const queue = createKeyedQueue<ItemsAnswer>();
  const apply = async <Outcome extends string>({ call, signal }: Operation<Outcome>): Promise<ItemsAnswer> => {
    signal.throwIfAborted();
    const answer = await call(SHORT_WAIT_MS);
    if (!isBusy(answer)) return answer;
    return queue(answer.accountId ?? '', async (previous) => {
      signal.throwIfAborted();
      return previous && isBusy(previous) ? answer : call(LONG_WAIT_MS);
    });
  };
  return async <Outcome extends string>(operation: Operation<Outcome>): Promise<ItemsAnswer<Outcome>> => {
    const answer = await retry(() => apply(operation), WHILE_AWAY);
    crashPoint(`${operation.kind}-committed`);
    const publication = publishBalances([answer]);
    // The balance shown after a failed delivery must include its credits again. A reserve is published long before its delivery is
    // answered, and a settlement does not change the available credits.
    if (operation.kind === 'release') await publication;
    return answer as ItemsAnswer<Outcome>;
  };
};

type LedgerDeps = {
  readonly db: Database;
  readonly sql: Sql;
  readonly publishBalances: PublishBalances;
};

type ResolveItemsRequest = RequestOf<typeof creditsLedger.resolveItems> & { readonly requestId: string };

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
    apply({ kind: request.kind, call: (waitMs) => resolveItems(sql, request, waitMs), signal });
  return {
    reserve: (request: ReserveItemsRequest, signal: AbortSignal) =>
      apply({ kind: 'reserve', call: (waitMs) => reserveItems(sql, request, waitMs), signal }),
    /** Answers the settlement, the release, or both. */
    resolve: async ({ charge, release, ...common }: ResolveItemsRequest, signal: AbortSignal) => {
      const answers: ItemsAnswer<ResolveOutcome>[] = [];
      // In turn: the last answer has the items that are still held.
      if (charge.length > 0) answers.push(await resolve({ kind: 'settle', items: charge, ...common }, signal));
      if (release.length > 0 || charge.length === 0)
        answers.push(await resolve({ kind: 'release', items: release, ...common }, signal));
      return answers;
    },
    charge: (request: ChargeItemsRequest) => runAndPublish(() => chargeItems(sql, request)),
    refund: (request: RefundItemsRequest) => runAndPublish(() => refundItems(sql, request)),
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
