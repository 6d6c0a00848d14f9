import { identity, type PayloadOf } from '@tds/contracts';
import { onEvent } from '@tds/kit';
import { followStatus } from './accounts/accounts.ts';
import type { CoreDeps, Deps } from './deps.ts';
import { endOfGrace } from './domain/api-key.ts';
import { forgetKeys, forgetKeysOfAccounts } from './keys/forget-principals.ts';
import { revokeKey } from './keys/key-changes.ts';
import { restoreKeyFacts } from './keys/store/recovery.ts';
import { moveDigests } from './mails/daily-mail.ts';
import { restoreMailOfWork } from './mails/store/mails-of-work.ts';
import { forgetInvitation } from './people/store/invitations.ts';
import { deleteSessions } from './sign-in/store/sessions.ts';
import { freeAddress, lockAccounts } from './store/accounts.ts';
import { findHeir, hasOwner, restorePerson } from './store/people.ts';
import { restoreMailChoices, restoreName, restoreStatus } from './store/recovery.ts';
import { transact } from './store/transact.ts';

const authorOf = (requestId: string) => ({ actor: 'restore', requestId }) as const;

/*
 * After a restore of this database, its stream still has the events that were emitted since. Other services follow them, so they are
 * applied here again, once each. New accounts, keys and sessions of that time are lost.
 */

/** A key that was revoked stays revoked. */
export const keyRevoked = onEvent(
  identity.keyRevoked,
  async (deps: CoreDeps, { keyId, atOnce }, { requestId }) => {
    await revokeKey(deps, { keyId, atOnce, ...authorOf(requestId) });
  },
);

/** Restores the cap and the end of a key from a newer version. Its hours of grace begin again. */
export const keyChanged = onEvent(identity.keyChanged, async (deps: CoreDeps, key) => {
  const now = deps.now();
  const stored = await restoreKeyFacts(deps.db, { ...key, endsAt: endOfGrace(now) }, now);
  if (stored) await forgetKeys(deps, [stored]);
});

/** A session that was ended stays ended. */
export const sessionsEnded = onEvent(identity.sessionsEnded, async ({ db }: CoreDeps, { sessionIds }) => {
  await deleteSessions(db, sessionIds);
});

/** Mails that were ended stay ended, and digests keep their hour and day; without a person they are the first one's. */
export const mailChoicesChanged = onEvent(
  identity.mailChoicesChanged,
  ({ db, messaging, now }: Pick<Deps, 'db' | 'messaging' | 'now'>, choices) =>
    messaging.transaction(db, (tx, send) => {
      const { accountId, personId = accountId } = choices;
      return moveDigests({ tx, send, now: now() }, { accountId, personId }, () =>
        restoreMailChoices(tx, { ...choices, personId }, now()),
      );
    }),
);

/** So do mails of one monitor or job. */
export const mailOfWorkChosen = onEvent(identity.mailOfWorkChosen, async ({ db }: CoreDeps, choice) => {
  await restoreMailOfWork(db, choice);
});

/** An account keeps its newest name. */
export const accountNamed = onEvent(identity.accountNamed, async ({ db }: CoreDeps, naming) => {
  await restoreName(db, naming);
});

type ChangedPerson = PayloadOf<typeof identity.personChanged>;

/** Who joined since; null if the account was lost, or the release before has emitted it. */
const joinedOf = ({ vault }: CoreDeps, event: ChangedPerson, isKnown: boolean) => {
  const { accountId, personId, sealedEmail, joinedAt } = event;
  if (!isKnown || sealedEmail === undefined || joinedAt === undefined) return null;
  const email = vault.decrypt(Buffer.from(sealedEmail, 'base64url'), personId, 'utf8');
  return { accountId, email, joinedAt: new Date(joinedAt) };
};

/**
 * A person who was removed stays removed, and keeps the newest role and cap; who has joined is back. Throws if the account would have no
 * owner, until the event of another one is applied: if there is none, the last owner stays, and the event is given up, which the
 * audit of the books finds.
 */
export const personChanged = onEvent(identity.personChanged, async (deps: CoreDeps, event, { requestId }) => {
  const { accountId, personId: id, isRemoved, role, dailyCreditCap, version, byPersonId = id } = event;
  const isRestored = await transact(deps, authorOf(requestId), async ({ tx, now }) => {
    const account = (await lockAccounts(tx, [accountId])).get(accountId);
    const heirId = byPersonId === id ? await findHeir(tx, accountId, id) : byPersonId;
    const passedTo = isRemoved ? heirId : null;
    const facts = { id, role, dailyCreditCap, version, passedTo, removedAt: isRemoved ? now : null };
    if (!(await restorePerson(tx, facts, joinedOf(deps, event, account !== undefined), now))) return false;
    if (account?.status !== 'closed' && !(await hasOwner(tx, accountId)))
      throw new Error(`the account ${accountId} would have no owner`);
    if (isRemoved && id === accountId && account?.isDisputed === false) await freeAddress(tx, accountId);
    return true;
  });
  if (isRestored) await forgetKeysOfAccounts(deps, [accountId]);
});

/** The code of an invitation that was used or withdrawn brings nobody back. */
export const invitationEnded = onEvent(
  identity.invitationEnded,
  async ({ db, now }: CoreDeps, { invitationId }) => {
    await forgetInvitation(db, invitationId, now());
  },
);

/** Restores the status of an account, with the version that other services have seen. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  async (deps: CoreDeps, { accountId, status, frozenReason = null, version }, { requestId }) => {
    const isRestored = await transact(deps, authorOf(requestId), async (transaction) => {
      const { tx, now } = transaction;
      if (!(await restoreStatus(tx, { accountId, status, frozenReason, version }, now))) return false;
      await followStatus(transaction, accountId, status);
      return true;
    });
    if (isRestored) await forgetKeysOfAccounts(deps, [accountId]);
  },
);
