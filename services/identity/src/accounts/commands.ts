import { identity, MAX_MAILBOX_ACCOUNTS, type RequestOf } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { freeMailboxOf, hostsOf, normalizeEmail } from '../domain/email-address.ts';
import { countLiveKeys, keyLimitOf } from '../domain/key-limits.ts';
import { findWorkingKeys, forgetKeysOfAccounts, holderOf } from '../keys/index.ts';
import { toMailChoices } from '../mails/index.ts';
import { findLiveSession, isDisposable } from '../sign-in/index.ts';
import {
  type Account,
  findAccount,
  findAccountsOfMailbox,
  findEmail,
  findStatusByEmail,
  lockAccount,
  saveName,
} from '../store/accounts.ts';
import { findOwnerEmail, findPerson, findPlaces } from '../store/people.ts';
import { audit, transact } from '../store/transact.ts';
import { changeStatus } from './accounts.ts';

type GetRequest = RequestOf<typeof identity.getAccount>;

/** The person, and for a session the accounts in which its address is one, if there are several and it may switch to them. */
const findOwn = async (
  { db, vault, now }: Deps,
  { accountId, keyId, personId = accountId, sessionDigest }: GetRequest,
) => {
  const person = await findPerson(db, accountId, personId);
  if (person === null) return { mail: toMailChoices() };
  const { id, email, role, dailyCreditCap } = person;
  const digest = sessionDigest === undefined ? null : vault.keyedDigest(sessionDigest);
  const isInvited = digest !== null && (await findLiveSession(db, digest, now()))?.isInvited === true;
  const places = keyId === null && !isInvited ? await findPlaces(db, email) : [];
  const open = places.filter(({ status }) => status !== 'closed');
  const accounts = open.map((place) => ({ id: place.accountId, email: place.email, role: place.role }));
  const own = { id, email, role, daily_credit_cap: dailyCreditCap };
  return { person: own, mail: toMailChoices(person), ...(accounts.length > 1 && { accounts }) };
};

export const getAccount = onCommand(identity.getAccount, async (deps: Deps, request) => {
  const { accountId, keyId } = request;
  const { db } = deps;
  const at = deps.now();
  const [own, ownerEmail, account, workingKeys] = await Promise.all([
    findOwn(deps, request),
    findOwnerEmail(db, accountId),
    findAccount(db, accountId),
    findWorkingKeys(db, accountId, at),
  ]);
  const { email, name, status, frozenReason, tier, createdAt } = account;
  const currentKey = workingKeys.find(({ id }) => id === keyId);
  return {
    account: {
      id: accountId,
      email,
      name,
      status,
      frozen_reason: frozenReason,
      tier,
      created_at: createdAt.toISOString(),
    },
    ...own,
    ...(ownerEmail !== null && { ownerEmail }),
    keys: {
      live: countLiveKeys(workingKeys, at),
      limit: keyLimitOf(tier),
      current: currentKey ? { id: currentKey.id, name: currentKey.name, prefix: currentKey.prefix } : null,
    },
  };
});

export const nameAccount = onCommand(
  identity.nameAccount,
  async (deps: Deps, { accountId, by, name }, { requestId }) => {
    await transact(deps, holderOf(by, requestId), async (transaction) => {
      const { tx, send } = transaction;
      const account = await lockAccount(tx, accountId);
      if (account.status === 'closed') throw serviceError('account_closed');
      const person = await findPerson(tx, accountId, by.personId ?? accountId);
      if (person?.role !== 'owner') throw serviceError('role_required');
      if (account.name === name) return;
      const version = await saveName(tx, accountId, name);
      await send.emit(identity.accountNamed, { accountId, name, version });
      await audit(transaction, { action: 'account-named', accountId, detail: name ?? 'no name' });
    });
    return { account: { id: accountId, name } };
  },
);

/** The holder cannot close a frozen account: the reason for the freeze has to be settled first. */
const refusal = ({ status }: Account, email: string | null, confirm: string): ServiceError | null => {
  if (status === 'closed') return serviceError('account_closed');
  if (normalizeEmail(confirm) !== email) return serviceError('confirmation_required');
  return status === 'frozen' ? serviceError('account_frozen') : null;
};

export const closeAccount = onCommand(
  identity.closeAccount,
  async (deps: Deps, { accountId, personId = accountId, confirm, clientAddress }, { requestId }) => {
    const author = { actor: 'holder', personId, requestId, clientAddress } as const;
    const closedAt = await transact(deps, author, async (transaction) => {
      const account = await lockAccount(transaction.tx, accountId);
      const error = refusal(account, await findOwnerEmail(transaction.tx, accountId), confirm);
      if (error) throw error;
      const person = await findPerson(transaction.tx, accountId, personId);
      if (person?.role !== 'owner') throw serviceError('role_required');
      await changeStatus(transaction, { email: account.email, status: 'closed', frozenReason: null });
      return transaction.now.toISOString();
    });
    await forgetKeysOfAccounts(deps, [accountId]);
    return { closedAt };
  },
);

/** Rejects a disposable address even if it has an account, so that the answer reveals nothing. */
export const admitAddress = onCommand(identity.admitAddress, async (deps: Deps, request) => {
  const email = normalizeEmail(request.email);
  if (email === null) throw serviceError('invalid_email');
  if (await isDisposable(deps, email)) throw serviceError('disposable_email');
  return {};
});

export const isAddressClosed = onCommand(identity.isAddressClosed, async ({ db }: Deps, request) => {
  const email = normalizeEmail(request.email);
  if (email === null) throw serviceError('invalid_email');
  return { isClosed: (await findStatusByEmail(db, email)) === 'closed' };
});

export const listAccountsOfMailbox = onCommand(
  identity.listAccountsOfMailbox,
  async ({ db }: Deps, { accountId }) => {
    const email = await findEmail(db, accountId);
    if (email === null) return { accountIds: [] };
    const mailbox = { mailbox: freeMailboxOf(email), hosts: hostsOf(email) };
    return { accountIds: await findAccountsOfMailbox(db, accountId, mailbox, MAX_MAILBOX_ACCOUNTS) };
  },
);

export const spellAddress = onCommand(identity.spellAddress, async (_deps: object, request) => {
  const email = normalizeEmail(request.email);
  if (email === null) throw serviceError('invalid_email');
  return { email };
});
