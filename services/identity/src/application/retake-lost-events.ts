import type { identity, PayloadOf } from '@tds/contracts';
import type { CoreDeps } from '../deps.ts';
import { endOfGrace } from '../domain/api-key.ts';
import { retakeKeyFacts, retakeStatus } from '../store/lost-changes.ts';
import { deleteSessions } from '../store/sessions.ts';
import { followStatus } from './accounts.ts';
import { forgetKeys, forgetKeysOfAccount } from './forget-principals.ts';
import { revokeKey } from './key-changes.ts';

type Told<Event extends keyof typeof identity.events> = PayloadOf<(typeof identity.events)[Event]>;

const whoOf = (requestId: string) => ({ actor: 'restore', requestId }) as const;

/*
 * After this database went back to an older copy, its stream still says what it had told. Others go by that, so it is done again
 * here: once, however often it is said. What only the lost rows knew (new accounts, keys, sessions) is lost.
 */

/** A key that was revoked stays revoked. */
export const retakeKeyRevoked = async (
  deps: CoreDeps,
  { keyId, atOnce }: Told<'keyRevoked'>,
  requestId: string,
): Promise<void> => {
  await revokeKey(deps, { keyId, atOnce, ...whoOf(requestId) });
};

/** The cap and the coming end of a key, as of a version that is newer than the copy's. Its hours of grace begin anew. */
export const retakeKeyChanged = async (deps: CoreDeps, told: Told<'keyChanged'>): Promise<void> => {
  const now = deps.now();
  const key = await retakeKeyFacts(
    deps.db,
    { ...told, overLimit: told.overLimit ?? false, endsAt: endOfGrace(now) },
    now,
  );
  if (key) await forgetKeys(deps, [key]);
};

/** A session that its holder has ended stays ended. */
export const retakeSessionsEnded = async (
  { db }: CoreDeps,
  { sessionIds }: Told<'sessionsEnded'>,
): Promise<void> => {
  await deleteSessions(db, sessionIds);
};

/** The status of an account; its version goes on above what others have seen. */
export const retakeAccountStatus = async (
  deps: CoreDeps,
  { accountId, status, frozenReason, version }: Told<'accountStatusChanged'>,
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
