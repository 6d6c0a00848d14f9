import {
  billing,
  creditsLedger,
  DAY_MS,
  identity,
  type Notice,
  type PayloadOf,
  webhookDispatcher,
} from '@tds/contracts';
import { onEvent, runIfNewest, runOnce } from '@tds/kit';
import { findConnection, type StoredConnection } from './apps/store/connections.ts';
import type { Deps } from './deps.ts';
import { scopesOf } from './domain/principal.ts';
import { findKey, findPlacedKeys, hasOlderKey } from './keys/store/account-keys.ts';
import { waitMs } from './mails/mails.ts';
import {
  CONNECTION_MAILS,
  type DueNotice,
  KEY_MAILS,
  mailStop,
  noticePerson,
  notifyOnce,
  withinAllowance,
} from './mails/notices.ts';
import { findPayers } from './mails/readers.ts';
import { noteWebhookChange } from './mails/store/webhook-notices.ts';
import { mailPersonChange } from './people/owner-mails.ts';
import type { Db } from './store/database.ts';
import { findAnyone } from './store/people.ts';
import { countHits } from './store/throttle-windows.ts';

type StatusEvent = PayloadOf<typeof identity.accountStatusChanged>;

const noticeOf = ({ status, frozenReason: reason }: StatusEvent): DueNotice | null => {
  if (status !== 'frozen') return { notice: { kind: `account_${status}` } };
  return reason === undefined ? null : { notice: { kind: 'account_frozen', reason } };
};

/** The mail follows the event, because operators' commands change the status, too, and enqueue no tasks. */
export const accountStatusChanged = onEvent(identity.accountStatusChanged, (deps: Deps, event, context) =>
  notifyOnce(deps, event.accountId, context, async () => noticeOf(event)),
);

const findEndingKeys = async (tx: Db, accountId: string, now: Date) =>
  (await findPlacedKeys(tx, accountId, now)).flatMap(({ name, prefix, overLimit, revokeAt }) =>
    overLimit && revokeAt !== null ? [{ name, prefix, endsAt: revokeAt.toISOString() }] : [],
  );

/** Mails a lower tier and the keys that end for it. The holder knows of a higher tier. */
export const accountTierChanged = onEvent(
  identity.accountTierChanged,
  async (deps: Deps, { accountId, tier }, context) => {
    if (tier !== 'free') return;
    await notifyOnce(deps, accountId, context, async (tx) => ({
      notice: { kind: 'tier_fell', keys: await findEndingKeys(tx, accountId, deps.now()) },
    }));
  },
);

/** Ignores older versions. */
export const customerChanged = onEvent(
  billing.customerChanged,
  async ({ followCustomer }: Deps, customer, context) => {
    const { accountId, tier, isDisputed } = customer;
    context.record.add({ accountId, tier, isDisputed });
    await followCustomer(customer, context);
  },
);

/** Mails each who pays which block was given back, and by whom. */
export const blockRefunded = onEvent(
  billing.blockRefunded,
  async (deps: Deps, { accountId, block, by: { personId: by, keyId } }, context) => {
    const { messageId: mailId } = context;
    await runOnce(deps, context, async (tx, send) => {
      const key = keyId === null ? null : await findKey(tx, accountId, keyId);
      const notice: Notice = {
        ...{ kind: 'block_refunded', block, by: (await findAnyone(tx, accountId, by))?.email ?? '' },
        key: key && { name: key.name, prefix: key.prefix },
      };
      for (const personId of await findPayers(tx, accountId))
        await noticePerson({ send }, { accountId, mailId, notice }, personId);
    });
  },
);

/** Mails each refill, with what is left of the money of the month. */
export const accountRefilled = onEvent(
  billing.accountRefilled,
  (deps: Deps, { accountId, block, amount, currency, left }, context) =>
    notifyOnce(deps, accountId, context, async () => ({
      notice: { kind: 'refilled', block, amount, currency, left },
    })),
);

/** The closing has a mail of its own. */
export const refillStopped = onEvent(billing.refillStopped, (deps: Deps, { accountId, reason }, context) =>
  notifyOnce(deps, accountId, context, async () =>
    reason === 'account_closed' ? null : { notice: { kind: 'refill_stopped', reason } },
  ),
);

type CreatedKey = Pick<PayloadOf<typeof identity.keyCreated>, 'accountId' | 'keyId' | 'personId'>;

const connectionNotice = ({ name, host, scope, dailyCreditCap }: StoredConnection): Notice => ({
  ...{ kind: 'app_connected', name, host, scopes: scopesOf(scope), dailyCreditCap },
});

/** Null for the first key, which comes with the sign-up. No other mail uses up the allowance of new keys, and none of them is silent. */
const keyNotice = async (tx: Db, created: CreatedKey, now: Date): Promise<DueNotice | null> => {
  const { accountId, keyId, personId: about = accountId } = created;
  const connection = await findConnection(tx, { accountId, id: keyId }, now);
  if (connection)
    return withinAllowance(
      tx,
      { accountId, about, notice: connectionNotice(connection), ...CONNECTION_MAILS },
      now,
    );
  const key = await findKey(tx, accountId, keyId);
  if (key === null || !(await hasOlderKey(tx, accountId, key.createdAt))) return null;
  const notice = { kind: 'key_made', name: key.name, prefix: key.prefix } as const;
  return withinAllowance(tx, { accountId, about, notice, ...KEY_MAILS }, now);
};

/** Mails each new key, up to five a day; later ones of an hour together. */
export const keyCreated = onEvent(identity.keyCreated, (deps: Deps, event, context) =>
  notifyOnce(deps, event.accountId, context, (tx) => keyNotice(tx, event, deps.now())),
);

/** Mails owners of changes among them, and who is in the account no more. */
export const personChanged = onEvent(identity.personChanged, mailPersonChange);

/** A webhook that was disabled because it fails has a mail of its own. */
const OWN_MAIL = 'disabled';

/** Mails the newest change: at once if the last mail is old enough, otherwise together with later changes. */
export const webhookChanged = onEvent(
  webhookDispatcher.webhookChanged,
  async (deps: Deps, { accountId, host, changes: all }, context) => {
    const changes = all.filter((change) => change !== OWN_MAIL);
    if (changes.length === 0) return;
    await runIfNewest(deps, context, async (tx, send) => {
      const change = { accountId, host, changes, mailId: context.messageId };
      const delayMs = waitMs(await noteWebhookChange(tx, change), deps.now());
      await send.enqueue(identity.sendWebhookNotice, { accountId }, { key: accountId, delayMs });
    });
  },
);

export const balanceRanLowForMail = onEvent(
  creditsLedger.balanceRanLowForMail,
  (deps: Deps, { accountId, available, threshold }, context) => {
    const notice: Notice = { kind: 'balance_low', available, threshold };
    return mailStop(deps, { accountId, cause: notice.kind, notice }, context, (tx) =>
      findPayers(tx, accountId),
    );
  },
);

export const webhookDisabled = onEvent(
  webhookDispatcher.webhookDisabled,
  (deps: Deps, { accountId, host }, context) =>
    notifyOnce(deps, accountId, context, async () => ({ notice: { kind: 'webhook_disabled', host } })),
);

/** Mails of a day about changes of receivers. One that stops is always mailed. */
const RECEIVER_MAILS = { scope: 'receiver-mail', limit: 10, windowMs: DAY_MS };

export const receiverChanged = onEvent(
  webhookDispatcher.receiverChanged,
  (deps: Deps, { accountId, name, host, changes, disabledReason: reason }, context) =>
    notifyOnce(deps, accountId, context, async (tx) => {
      if (changes.includes('disabled') && reason !== null)
        return { notice: { kind: 'receiver_disabled', name, host, reason } };
      if (changes.length === 0) return null;
      const [hit] = await countHits(tx, [{ ...RECEIVER_MAILS, subject: accountId }], deps.now());
      const isWithin = (hit?.hits ?? 0) <= RECEIVER_MAILS.limit;
      return isWithin ? { notice: { kind: 'receiver_changed', name, host, changes } } : null;
    }),
);
