import { creditsLedger, identity, status, webhookDispatcher } from '@tds/contracts';
import { type ListenerContext, onEvent } from '@tds/service-kit';
import type { Deps } from './deps.ts';
import type { LedgerAnswer } from './domain/ledger-answer.ts';
import { balanceReply } from './domain/replies.ts';
import { openAccount, setAccountStatus, setLowThreshold } from './store/accounts.ts';

/** Opens the account with the free credits of its first month. If it was used before this event came, it stays as it is. */
export const accountCreated = onEvent(
  identity.accountCreated,
  async (
    { db, messaging, publishBalances }: Pick<Deps, 'db' | 'messaging' | 'publishBalances'>,
    { accountId, createdAt },
    context,
  ) => {
    const opened = await messaging.transaction(db, async (tx) => {
      const answers: LedgerAnswer[] = [];
      await context.once(tx, async () => {
        const answer = await openAccount(tx, accountId, new Date(createdAt));
        // Throws if the account stays locked; the event is then redelivered.
        balanceReply(answer);
        answers.push(answer);
      });
      return answers;
    });
    await publishBalances(opened);
  },
);

/** Events may arrive in any order: an older version than the one known changes nothing. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, change, context) => {
    await messaging.transaction(db, (tx) =>
      context.once(tx, async () => {
        const isNews = await setAccountStatus(tx, change);
        context.record.add({ status: change.status, version: change.version, isNews });
      }),
    );
  },
);

/** From then on no other account can reserve in the name of the key. */
export const keyCreated = onEvent(
  identity.keyCreated,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId, keyId }, { once }) => {
    await messaging.transaction(db, (tx) =>
      once(tx, async () => {
        await tx.keyOwner.createMany({ data: [{ accountId, keyId }], skipDuplicates: true });
      }),
    );
  },
);

/** Every account gets a tenth of what that day's deliveries cost it, once, however often the day is told. */
export const outageDayJudged = onEvent(
  status.outageDayJudged,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { day }, { once }) => {
    await messaging.transaction(db, (tx, send) =>
      once(tx, async () => {
        await send.enqueue(creditsLedger.grantOutageCredits, { day }, { key: day });
      }),
    );
  },
);

type Told = { readonly accountId: string; readonly version: number };

/** Takes over what a webhook says of its account's threshold. Webhooks are told of in any order: older news change nothing. */
const takeThreshold = (
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
  { accountId, version }: Told,
  threshold: number | null,
  context: ListenerContext,
): Promise<void> =>
  messaging.transaction(db, (tx) =>
    context.once(tx, async () => {
      const isNews = await setLowThreshold(tx, { accountId, threshold, version });
      context.record.add({ threshold, version, isNews });
    }),
  );

export const webhookConfigured = onEvent(
  webhookDispatcher.webhookConfigured,
  (deps: Pick<Deps, 'db' | 'messaging'>, told, context) =>
    takeThreshold(deps, told, told.lowBalanceThreshold, context),
);

/** Nobody is to be told any more. */
export const webhookRemoved = onEvent(
  webhookDispatcher.webhookRemoved,
  (deps: Pick<Deps, 'db' | 'messaging'>, told, context) => takeThreshold(deps, told, null, context),
);
