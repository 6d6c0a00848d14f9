import type { identity, PayloadOf } from '@tds/contracts';
import type { CoreDeps } from '../deps.ts';
import { endOfGrace } from '../domain/api-key.ts';
import { retakeKeyFacts, retakeStatus } from '../store/lost-changes.ts';
import { deleteSessions } from '../store/sessions.ts';
import { followStatus } from './accounts.ts';
import { forgetKeys, forgetKeysOfAccount } from './forget-principals.ts';
import { revokeKey } from './key-changes.ts';

type LostEvent<Event extends keyof typeof identity.events> = PayloadOf<(typeof identity.events)[Event]>;

const whoOf = (requestId: string) => ({ actor: 'restore', requestId }) as const;

/*
 * After a restore of this database, its stream still has the events that were emitted since. Other services follow them, so they are
 * applied here again, once each. New accounts, keys and sessions of that time are lost.
 */

/** A key that was revoked stays revoked. */
export const retakeKeyRevoked = async (
  deps: CoreDeps,
  { keyId, atOnce }: LostEvent<'keyRevoked'>,
  requestId: string,
): Promise<void> => {
  await revokeKey(deps, { keyId, atOnce, ...whoOf(requestId) });
};

/** Restores the cap and the end of a key from a newer version. Its hours of grace begin again. */
export const retakeKeyChanged = async (deps: CoreDeps, key: LostEvent<'keyChanged'>): Promise<void> => {
  const now = deps.now();
  const stored = await retakeKeyFacts(
    deps.db,
    { ...key, overLimit: key.overLimit ?? false, endsAt: endOfGrace(now) },
    now,
  );
  if (stored) await forgetKeys(deps, [stored]);
};

/** A session that was ended stays ended. */
export const retakeSessionsEnded = async (
  { db }: CoreDeps,
  { sessionIds }: LostEvent<'sessionsEnded'>,
): Promise<void> => {
  await deleteSessions(db, sessionIds);
};

/** Restores the status of an account, with the version that other services have seen. */
export const retakeAccountStatus = async (
  deps: CoreDeps,
  { accountId, status, frozenReason, version }: LostEvent<'accountStatusChanged'>,
  requestId: string,
): Promise<void> => {
  const now = deps.now();
  const isRetaken = await deps.messaging.transaction(deps.db, async (tx) => {
    if (!(await retakeStatus(tx, { accountId, status, frozenReason: frozenReason ?? null, version }, now)))
      return false;
    await followStatus({ tx, now }, { accountId, status, ...whoOf(requestId) });
    return true;
  });
  if (isRetaken) await forgetKeysOfAccount(deps, accountId);
};
