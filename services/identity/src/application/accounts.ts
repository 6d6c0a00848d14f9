import { randomUUID } from 'node:crypto';
import {
  type AccountStatus,
  identity,
  type Notice,
  type ReplyOf,
  type ServiceError,
  serviceError,
  type Tier,
} from '@tds/contracts';
import type { ListenerContext } from '@tds/service-kit';
import type { CoreDeps, Deps, Transaction } from '../deps.ts';
import { mailboxOf } from '../domain/email-address.ts';
import { DAY_MS, earlier, SECOND_MS } from '../domain/time.ts';
import { revokeKeysOfAccount } from '../store/account-keys.ts';
import {
  type AccountState,
  type AuditEntry,
  insertAccount,
  insertAuditEntries,
  lockMailbox,
  updateAccountStatus,
  updateAccountTier,
} from '../store/accounts.ts';
import { hasHadKey } from '../store/api-keys.ts';
import type { Db } from '../store/database.ts';
import { deleteSessionsOfAccount } from '../store/sessions.ts';
import { forgetKeysOfAccount } from './forget-principals.ts';
import { fitKeysToTier } from './key-changes.ts';
import { addKey } from './new-keys.ts';

type Who = Pick<AuditEntry, 'actor' | 'requestId' | 'clientAddress'>;
type StatusChange = Who & AccountState & { readonly email: string };
type TierChange = Who & { readonly email: string; readonly tier: Tier };
type Changed = { readonly accountId: string; readonly version: number };

/** What a new status brings along: closing an account ends its sessions and keys. */
export const followStatus = async (
  { tx, now }: Pick<Transaction, 'tx' | 'now'>,
  { accountId, status, ...who }: Who & { readonly accountId: string; readonly status: AccountStatus },
): Promise<void> => {
  let detail: string = status;
  if (status === 'closed') {
    await deleteSessionsOfAccount(tx, accountId);
    detail = `closed, keys revoked: ${await revokeKeysOfAccount(tx, accountId, now)}`;
  }
  await insertAuditEntries(tx, [{ at: now, action: 'account-status-changed', accountId, detail, ...who }]);
};

/** Null if there is no such account or nothing to change. */
export const changeStatus = async (
  { tx, send, now }: Transaction,
  { email, status, frozenReason, ...who }: StatusChange,
): Promise<Changed | null> => {
  const account = await updateAccountStatus(tx, { email, status, frozenReason }, now);
  if (!account) return null;
  const { id: accountId, version } = account;
  await followStatus({ tx, now }, { accountId, status, ...who });
  const reason = frozenReason === null ? {} : { frozenReason };
  await send.emit(identity.accountStatusChanged, { accountId, status, version, ...reason });
  return { accountId, version };
};

/**
 * Changes the status of the account with this normalised address, as an operator does. Closing it also ends its sessions and keys, which
 * stay ended if it is ever opened again. Null if there is no such account or nothing to change.
 */
export const setAccountStatus = async (
  deps: CoreDeps,
  { status, ...given }: Omit<StatusChange, 'frozenReason'>,
): Promise<Changed | null> => {
  const now = deps.now();
  const change = { ...given, status, frozenReason: status === 'frozen' ? 'operator' : null } as const;
  const changed = await deps.messaging.transaction(deps.db, (tx, send) =>
    changeStatus({ tx, send, now }, change),
  );
  if (changed) await forgetKeysOfAccount(deps, changed.accountId);
  return changed;
};

/**
 * Changes the tier of the account with this normalised address. Keys that a lower one has no place for end in 24 hours. False
 * if there is no such account or nothing to change.
 */
export const setAccountTier = async (
  deps: CoreDeps,
  { email, tier, ...who }: TierChange,
): Promise<boolean> => {
  const at = deps.now();
  const changed = await deps.messaging.transaction(deps.db, async (tx, send) => {
    const account = await updateAccountTier(tx, { email, tier }, at);
    if (!account) return null;
    await send.emit(identity.accountTierChanged, { accountId: account.id, tier });
    await fitKeysToTier({ tx, send, now: at }, deps.vault, { accountId: account.id, tier, ...who });
    const entry = { at, action: 'account-tier-changed', accountId: account.id, detail: tier } as const;
    await insertAuditEntries(tx, [{ ...entry, ...who }]);
    return account;
  });
  if (changed) await forgetKeysOfAccount(deps, changed.id);
  return changed !== null;
};

const FIRST_KEY_NAME = 'default';
/** So long a closed account keeps its place: closing one opens no place for another with new free credits. */
const CLOSED_COUNTS_MS = 31 * DAY_MS;

/** Who opens the account, and the secret of its first key. */
type Opening = {
  readonly email: string;
  readonly keyDigest: string;
  readonly keyPrefix: string;
  readonly requestId: string;
  readonly clientAddress: string;
};

const mailboxFull = (): ServiceError =>
  serviceError('signup_rate_limited', {
    message:
      'Too many accounts use variants of this address; a closed one counts for 31 days more. Sign in with one of them.',
    retryAfterSeconds: DAY_MS / SECOND_MS,
  });

const mailboxDisputed = (): ServiceError =>
  serviceError('account_frozen', {
    message:
      'A payment of another account of this mailbox is disputed. No account is opened for the mailbox until that is settled; write to support_email.',
  });

type NewAccount = Pick<AuditEntry, 'actor' | 'requestId' | 'clientAddress'> & { readonly email: string };

/** An account without a key. */
const insertNewAccount = async (
  { tx, send, now }: Transaction,
  { email, ...who }: NewAccount,
): Promise<{ id: string }> => {
  const id = randomUUID();
  await insertAccount(tx, { id, email, mailbox: mailboxOf(email), createdAt: now });
  await insertAuditEntries(tx, [{ at: now, action: 'account-created', accountId: id, ...who }]);
  await send.emit(identity.accountCreated, { accountId: id, createdAt: now.toISOString() });
  return { id };
};

/** A new account, unless the address's mailbox already has as many as it may have, or owes for a disputed payment. */
export const createAccount = async (
  deps: Deps,
  work: Transaction,
  { email, requestId, clientAddress }: Opening,
): Promise<{ id: string } | { refusal: ServiceError }> => {
  const since = earlier(work.now, CLOSED_COUNTS_MS);
  const { accounts, isDisputed } = await lockMailbox(work.tx, mailboxOf(email), since);
  if (isDisputed) return { refusal: mailboxDisputed() };
  if (accounts >= deps.config.accountsPerMailbox) return { refusal: mailboxFull() };
  return insertNewAccount(work, { email, actor: 'holder', requestId, clientAddress });
};

/** The key that every account gets once in its life; null if it has had one. */
export const createFirstKey = async (
  deps: Deps,
  work: Transaction,
  { keyDigest, keyPrefix, requestId, clientAddress }: Opening,
  accountId: string,
): Promise<ReplyOf<typeof identity.verifyCode>['firstKey']> => {
  const { tx, now } = work;
  if (await hasHadKey(tx, accountId)) return null;
  const fields = { accountId, name: FIRST_KEY_NAME, dailyCreditCap: null, slot: 0 };
  const { id } = await addKey(deps, work, { ...fields, keyDigest, keyPrefix });
  await insertAuditEntries(tx, [
    { at: now, action: 'key-created', actor: 'holder', accountId, keyId: id, requestId, clientAddress },
  ]);
  return { id, name: FIRST_KEY_NAME, createdAt: now.toISOString() };
};

type About = { readonly accountId: string; readonly read: (tx: Db) => Promise<Notice | null> };

/**
 * Mails what an event is about, once for each event. After a restore the same event may be heard again: its mail then has the same
 * message id.
 */
export const notifyOnce = (
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
  { accountId, read }: About,
  { messageId: mailId, once }: Pick<ListenerContext, 'messageId' | 'once'>,
): Promise<void> =>
  messaging.transaction(db, (tx, send) =>
    once(tx, async () => {
      const notice = await read(tx);
      if (notice) await send.enqueue(identity.sendNotice, { accountId, mailId, notice });
    }),
  );
