import { billing, creditsLedger, identity, type PayloadOf, status, webhookDispatcher } from '@tds/contracts';
import { onEvent, runOnce } from '@tds/kit';
import type { ListenerContext } from '@tds/messaging';
import type { Deps } from './deps.ts';
import { balanceReply, type LedgerAnswer } from './domain/replies.ts';
import { openAccount, setAccountStatus, setLowThreshold, setRefillThreshold } from './store/accounts.ts';
import { savePersonCap } from './store/people.ts';
import { deleteRequestsOf } from './store/requests.ts';

/** Opens the account with the free credits of its first month, unless an earlier use has opened it. */
export const accountCreated = onEvent(
  identity.accountCreated,
  async (deps: Deps, { accountId, createdAt }, context) => {
    const opened: LedgerAnswer[] = [];
    await runOnce(deps, context, async (tx) => {
      const answer = await openAccount(tx, accountId, new Date(createdAt));
      // Throws if the account stays locked, so that the event is redelivered.
      balanceReply(answer);
      opened.push(answer);
    });
    await deps.publishBalances(opened);
  },
);

/** Ignores versions older than the known one, because events arrive in any order. A closed account is never reopened. */
export const accountStatusChanged = onEvent(identity.accountStatusChanged, (deps: Deps, change, context) =>
  runOnce(deps, context, async (tx) => {
    const isNew = await setAccountStatus(tx, change);
    if (change.status === 'closed') await deleteRequestsOf(tx, change.accountId);
    context.record.add({ status: change.status, version: change.version, isNew });
  }),
);

const toOwner = ({ accountId, keyId, personId, kind }: PayloadOf<typeof identity.keyCreated>) => ({
  ...{ accountId, keyId, personId: personId ?? null, kind: kind ?? null },
});

/** From then on no other account can reserve with this key. */
export const keyCreated = onEvent(identity.keyCreated, (deps: Deps, owner, context) =>
  runOnce(deps, context, (tx) => tx.keyOwner.createMany({ data: [toOwner(owner)], skipDuplicates: true })),
);

export const personChanged = onEvent(identity.personChanged, (deps: Deps, person, context) =>
  runOnce(deps, context, async (tx) => {
    context.record.add({ isNew: (await savePersonCap(tx, person)) > 0 });
  }),
);

/** Gives every account a tenth of what its deliveries cost that day, once, however often the event arrives. */
export const outageDayEvaluated = onEvent(status.outageDayEvaluated, (deps: Deps, { day }, context) =>
  runOnce(deps, context, (_tx, send) => send.enqueue(creditsLedger.grantOutageCredits, { day }, { key: day })),
);

type WebhookVersion = { readonly accountId: string; readonly version: number };

/** Saves the threshold of an account's webhook. Ignores older versions, because events arrive in any order. */
const saveThreshold = (
  deps: Deps,
  { accountId, version }: WebhookVersion,
  threshold: number | null,
  context: ListenerContext,
) =>
  runOnce(deps, context, async (tx) => {
    const isNew = await setLowThreshold(tx, { accountId, threshold, version });
    context.record.add({ threshold, version, isNew });
  });

export const webhookConfigured = onEvent(webhookDispatcher.webhookConfigured, (deps: Deps, webhook, context) =>
  saveThreshold(deps, webhook, webhook.lowBalanceThreshold, context),
);

export const webhookRemoved = onEvent(webhookDispatcher.webhookRemoved, (deps: Deps, webhook, context) =>
  saveThreshold(deps, webhook, null, context),
);

/** Saves below how many credits billing refills the account. Ignores older versions. */
export const refillChanged = onEvent(billing.refillChanged, (deps: Deps, refill, context) =>
  runOnce(deps, context, async (tx) => {
    const isNew = await setRefillThreshold(tx, refill);
    context.record.add({ threshold: refill.threshold, version: refill.version, isNew });
  }),
);
