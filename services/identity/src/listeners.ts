import {
  billing,
  bulkOrchestrator,
  DAY_MS,
  identity,
  type Notice,
  type PayloadOf,
  webhookDispatcher,
} from '@tds/contracts';
import { onEvent } from '@tds/kit';
import type { ListenerContext } from '@tds/messaging';
import { notifyOnce } from './application/accounts.ts';
import type { Deps } from './deps.ts';
import { waitMs } from './domain/mails.ts';
import { findKey, findPlacedKeys, hasOlderKey } from './store/account-keys.ts';
import type { Db } from './store/database.ts';
import { countHits } from './store/throttle-windows.ts';
import { noteWebhookChange } from './store/webhook-notices.ts';

const noticeOf = ({
  status,
  frozenReason: reason,
}: PayloadOf<typeof identity.accountStatusChanged>): Notice | null => {
  if (status === 'active') return { kind: 'account_active' };
  return status === 'frozen' && reason !== undefined ? { kind: 'account_frozen', reason } : null;
};

/** The mail follows the event, because operators' commands change the status, too, and enqueue no tasks. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  (deps: Pick<Deps, 'db' | 'messaging'>, changed, context) =>
    notifyOnce(deps, { accountId: changed.accountId, read: async () => noticeOf(changed) }, context),
);

const endingKeys = async (tx: Db, accountId: string, now: Date) =>
  (await findPlacedKeys(tx, accountId, now)).flatMap(({ name, prefix, overLimit, revokeAt }) =>
    overLimit && revokeAt !== null ? [{ name, prefix, endsAt: revokeAt.toISOString() }] : [],
  );

/** Mails a lower tier and the keys that end for it. The holder knows of a higher tier. */
export const accountTierChanged = onEvent(
  identity.accountTierChanged,
  async (deps: Pick<Deps, 'db' | 'messaging' | 'now'>, { accountId, tier }, context) => {
    const read = async (tx: Db) =>
      tier === 'free'
        ? ({ kind: 'tier_fell', keys: await endingKeys(tx, accountId, deps.now()) } as const)
        : null;
    await notifyOnce(deps, { accountId, read }, context);
  },
);

/** Ignores older versions. */
export const customerChanged = onEvent(
  billing.customerChanged,
  async ({ followCustomer }: Pick<Deps, 'followCustomer'>, customer, context) => {
    const { accountId, tier, isDisputed } = customer;
    context.record.add({ accountId, tier, isDisputed });
    await followCustomer(customer, context);
  },
);

const MAILS_A_DAY = 5;

type CreatedKey = { readonly accountId: string; readonly keyId: string };

/** Null for the first key, which comes with the sign-up. */
const keyNotice = async (tx: Db, { accountId, keyId }: CreatedKey, now: Date): Promise<Notice | null> => {
  const key = await findKey(tx, accountId, keyId);
  if (key === null || !(await hasOlderKey(tx, accountId, key.createdAt))) return null;
  const throttle = { scope: 'key-mail', subject: accountId, limit: MAILS_A_DAY, windowMs: DAY_MS };
  const [hit] = await countHits(tx, [throttle], now);
  if ((hit?.hits ?? 0) > MAILS_A_DAY) return null;
  return { kind: 'key_made', name: key.name, prefix: key.prefix };
};

/** Mails each new key, up to five a day. */
export const keyCreated = onEvent(
  identity.keyCreated,
  (deps: Pick<Deps, 'db' | 'messaging' | 'now'>, made, context) =>
    notifyOnce(deps, { accountId: made.accountId, read: (tx) => keyNotice(tx, made, deps.now()) }, context),
);

/** A webhook that was disabled because it fails has a mail of its own. */
const OWN_MAIL = 'disabled';

/** Mails the newest change: at once if the last mail is old enough, otherwise together with later changes. */
export const webhookChanged = onEvent(
  webhookDispatcher.webhookChanged,
  async (
    { db, messaging, now }: Pick<Deps, 'db' | 'messaging' | 'now'>,
    { accountId, host, changes: all },
    { messageId: mailId, onceIfNewest },
  ) => {
    const changes = all.filter((change) => change !== OWN_MAIL);
    if (changes.length === 0) return;
    await messaging.transaction(db, (tx, send) =>
      onceIfNewest(tx, async () => {
        const mailedAt = await noteWebhookChange(tx, { accountId, host, changes, mailId });
        const delayMs = waitMs(mailedAt, now());
        await send.enqueue(identity.sendWebhookNotice, { accountId }, { key: accountId, delayMs });
      }),
    );
  },
);

type JobEvent = PayloadOf<typeof bulkOrchestrator.jobCompleted>;

/** Mails the end of a job whose creator asked for it; an end after a retry is another one. */
const mailJobEnd = (deps: Pick<Deps, 'db' | 'messaging'>, job: JobEvent, context: ListenerContext) => {
  const { accountId, jobId, name, status, counts, credits, notifyEmail } = job;
  const notice: Notice = { kind: 'job_ended', jobId, name, status, counts, credits };
  return notifyOnce(deps, { accountId, read: async () => (notifyEmail ? notice : null) }, context);
};

export const jobCompleted = onEvent(bulkOrchestrator.jobCompleted, mailJobEnd);
export const jobFailed = onEvent(bulkOrchestrator.jobFailed, mailJobEnd);

export const webhookDisabled = onEvent(
  webhookDispatcher.webhookDisabled,
  (deps: Pick<Deps, 'db' | 'messaging'>, { accountId, host }, context) =>
    notifyOnce(deps, { accountId, read: async () => ({ kind: 'webhook_disabled', host }) }, context),
);
