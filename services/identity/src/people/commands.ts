import { randomUUID } from 'node:crypto';
import { clientNetwork } from '@tds/base';
import { identity, MAX_PEOPLE, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { normalizeEmail } from '../domain/email-address.ts';
import { isRightGuess, longestWait } from '../domain/sign-in-code.ts';
import { later } from '../domain/time.ts';
import { forgetKeysOfAccounts, forgetPrincipals, holderOf } from '../keys/index.ts';
import { createDeviceProof, isDisposable, uncountedGuess } from '../sign-in/index.ts';
import { findAuditEntries } from '../store/audit.ts';
import { findPeople, findPerson } from '../store/people.ts';
import { countHits } from '../store/throttle-windows.ts';
import { audit, transact } from '../store/transact.ts';
import {
  deriveInvitationCode,
  INVITATION_LIFE_MS,
  invitationGuessThrottles,
  invitationThrottles,
} from './invitations.ts';
import { join, switchTo } from './join.ts';
import { mailOwners } from './owner-mails.ts';
import {
  changeFacts,
  endKeysOf,
  keepOwner,
  lockPeople,
  type PeopleLock,
  remove,
  requireOwner,
  toInvitation,
  toPerson,
  withdraw,
} from './people.ts';
import { findInvitation, findWaitingInvitations, insertInvitation, isStopped } from './store/invitations.ts';

export const listPeople = onCommand(
  identity.listPeople,
  async ({ db, now }: Deps, { accountId, personId = accountId }) => {
    const people = await findPeople(db, accountId);
    const isOwner = people.some(({ id, role }) => id === personId && role === 'owner');
    const invitations = isOwner ? await findWaitingInvitations(db, accountId, now()) : [];
    return { people: people.map(toPerson), invitations: invitations.map(toInvitation) };
  },
);

/** Runs with the people of the account locked, and forgets its principals afterwards. */
const changePeople = async <Result>(
  deps: Deps,
  { accountId, by }: Pick<RequestOf<typeof identity.removePerson>, 'accountId' | 'by'>,
  requestId: string,
  change: (lock: PeopleLock) => Promise<Result>,
): Promise<Result> => {
  const result = await transact(deps, holderOf(by, requestId), async (transaction) =>
    change(await lockPeople(transaction, accountId)),
  );
  await forgetKeysOfAccounts(deps, [accountId]);
  return result;
};

const DAY_SECONDS = 86_400;

/** The waiting invitation of the address, if there is one. Throws `already_in_account`, `invitations_stopped` and `invitation_limit`. */
const checkInvitation = async ({ tx, now, accountId, account }: PeopleLock, email: string) => {
  if (await isStopped(tx, email)) throw serviceError('invitations_stopped');
  const people = await findPeople(tx, accountId);
  if (people.some((person) => person.email === email)) throw serviceError('already_in_account');
  const waiting = await findWaitingInvitations(tx, accountId, now);
  const existing = waiting.find((invitation) => invitation.email === email);
  if (!existing && people.length + waiting.length >= MAX_PEOPLE)
    throw serviceError('invitation_limit', { retryAfterSeconds: DAY_SECONDS });
  const throttles = invitationThrottles(account, email);
  const wait = longestWait(throttles, await countHits(tx, throttles, now), now);
  if (wait) throw serviceError('invitation_limit', { retryAfterSeconds: wait.retryAfterSeconds });
  return existing;
};

export const invitePerson = onCommand(identity.invitePerson, async (deps: Deps, request, { requestId }) => {
  const email = normalizeEmail(request.email);
  if (email === null) throw serviceError('invalid_email');
  if (await isDisposable(deps, email)) throw serviceError('disposable_email');
  const { accountId, role, dailyCreditCap = null } = request;
  const invitation = await changePeople(deps, request, requestId, async (lock) => {
    requireOwner(lock);
    const { tx, send, now, actor } = lock;
    const former = await checkInvitation(lock, email);
    // Another id, so another code: that of a mail that was passed on ends.
    if (former) await withdraw(lock, { id: former.id });
    const id = randomUUID();
    const times = { createdAt: now, expiresAt: later(now, INVITATION_LIFE_MS) };
    const saved = await insertInvitation(tx, {
      ...{ id, accountId, email, role, dailyCreditCap, invitedBy: actor.id },
      ...times,
    });
    if (role === 'owner') await mailOwners(lock, { change: 'invited', email, by: actor.email });
    // A command whose answer was lost is sent again: its mail has the same id.
    const mail = { invitationId: id, mailId: requestId };
    await send.enqueue(identity.sendInvitation, mail, { key: id });
    await audit(lock, { action: 'person-invited', accountId, detail: `${email}, ${role}` });
    return saved;
  });
  return { invitation: toInvitation(invitation) };
});

export const changePerson = onCommand(identity.changePerson, async (deps: Deps, request, { requestId }) => {
  const { accountId, personId, role, dailyCreditCap } = request;
  const changed = await changePeople(deps, request, requestId, async (lock) => {
    requireOwner(lock);
    const person = await findPerson(lock.tx, accountId, personId);
    if (person === null) throw serviceError('person_not_found');
    if (role !== undefined && role !== 'owner') {
      await keepOwner(lock, person);
      await withdraw(lock, { invitedBy: personId });
    }
    if (role === 'billing') await endKeysOf(lock, person, false);
    const fields = { ...(role && { role }), ...(dailyCreditCap !== undefined && { dailyCreditCap }) };
    const result = await changeFacts(lock, person, fields);
    const cap = dailyCreditCap === null ? 'no cap' : dailyCreditCap && `cap ${dailyCreditCap}`;
    const detail = [person.email, role, cap].filter(Boolean).join(', ');
    await audit(lock, { action: 'person-changed', accountId, detail });
    return result;
  });
  return { person: toPerson(changed) };
});

export const removePerson = onCommand(identity.removePerson, async (deps: Deps, request, { requestId }) => {
  const { accountId, personId, work } = request;
  const removed = await changePeople(deps, request, requestId, async (lock) => {
    const person = await findPerson(lock.tx, accountId, personId);
    if (person?.id !== lock.actor.id) requireOwner(lock);
    if (person === null) {
      const [invitation] = await withdraw(lock, { id: personId });
      if (!invitation) throw serviceError('person_not_found');
      return invitation;
    }
    if (work === undefined) throw serviceError('invalid_work');
    // By leaving, a capped person could otherwise have their work go on without the cap.
    if (work === 'pass_on') requireOwner(lock);
    await remove(lock, person, work);
    return person;
  });
  return { removed: { id: removed.id, email: removed.email } };
});

/** A stranger learns nothing of an invitation without its code. */
export const acceptInvitation = onCommand(
  identity.acceptInvitation,
  async (deps: Deps, { codeProof, ...request }, { requestId, record }) => {
    const now = deps.now();
    const { invitationId: id, sessionDigest, newDeviceDigest, clientAddress } = request;
    const guess = { email: id, codeProof, sessionDigest, newDeviceDigest };
    const throttles = invitationGuessThrottles(id, clientNetwork(clientAddress));
    const invitation = await uncountedGuess(deps, { codeProof, throttles }, now, async () => {
      const found = await findInvitation(deps.db, id);
      const expected = deriveInvitationCode(deps.vault.codeKey, { id, email: found?.email ?? '' });
      return isRightGuess(deps.codeMacs, guess, expected) ? found : null;
    });
    const author = { actor: 'holder', requestId, clientAddress } as const;
    const { opened, keyDigests, isProven } = await transact(deps, author, (transaction) =>
      join(transaction, request, invitation.accountId),
    );
    await forgetPrincipals(deps, keyDigests);
    record.add({ accountId: opened.accountId });
    // The browser is known to an address that has proved itself by a sign-in code.
    const device = { digest: newDeviceDigest, email: isProven ? invitation.email : id };
    return { ...opened, deviceProof: createDeviceProof(deps.vault.deviceKey, device, now) };
  },
);

export const switchAccount = onCommand(identity.switchAccount, async (deps: Deps, request, { requestId }) => {
  const author = { actor: 'holder', requestId, clientAddress: request.clientAddress } as const;
  const { opened, keyDigests } = await transact(deps, author, (transaction) => switchTo(transaction, request));
  await forgetPrincipals(deps, keyDigests);
  return opened;
});

export const listAudit = onCommand(identity.listAudit, async ({ db }: Deps, { accountId, ...page }) =>
  findAuditEntries(db, accountId, page),
);
