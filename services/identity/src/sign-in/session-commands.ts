import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { forgetPrincipals } from '../keys/index.ts';
import { lockAccount } from '../store/accounts.ts';
import { audit, transact } from '../store/transact.ts';
import { pickEarlier } from './session-life.ts';
import { endTheseSessions, requireSession } from './sessions.ts';
import { findLiveSessions, findSession } from './store/sessions.ts';

export const listSessions = onCommand(
  identity.listSessions,
  async ({ db, vault, now }: Deps, { accountId, personId = accountId, sessionDigest }) => {
    const own = Buffer.from(vault.keyedDigest(sessionDigest));
    const sessions = await findLiveSessions(db, { accountId, id: personId }, now());
    return {
      sessions: sessions.map(({ id, keyedDigest, createdAt, seenAt, idleExpiresAt, expiresAt }) => ({
        id,
        created_at: createdAt.toISOString(),
        last_seen_at: seenAt.toISOString(),
        expires_at: pickEarlier(idleExpiresAt, expiresAt).toISOString(),
        current: own.equals(keyedDigest),
      })),
    };
  },
);

/** Succeeds for a session that has ended. */
export const endSession = onCommand(
  identity.endSession,
  async (deps: Deps, { sessionDigest }, { requestId }) => {
    const session = await findSession(deps.db, deps.vault.keyedDigest(sessionDigest));
    if (session === null) return {};
    const { id, personId } = session;
    const { keyDigests } = await transact(deps, { actor: 'holder', personId, requestId }, (transaction) =>
      endTheseSessions(transaction, [id]),
    );
    await forgetPrincipals(deps, keyDigests);
    return {};
  },
);

/** Of two sessions that end each other, the second one fails with `session_required`. */
export const endSessions = onCommand(
  identity.endSessions,
  async (deps: Deps, { accountId, sessionDigest, sessionId, clientAddress }, { requestId, record }) => {
    const author = { actor: 'holder', requestId, clientAddress } as const;
    const { ended, keyDigests } = await transact(deps, author, async (transaction) => {
      const { tx, now } = transaction;
      await lockAccount(tx, accountId);
      const { session, own } = await requireSession(transaction, accountId, sessionDigest);
      const live = await findLiveSessions(tx, { accountId, id: session.personId }, now);
      const ids = live
        .map(({ id }) => id)
        .filter((id) => (sessionId === null ? id !== session.id : id === sessionId));
      const result = await endTheseSessions(own, ids);
      const detail = sessionId ?? `all others: ${result.ended}`;
      if (result.ended > 0) await audit(own, { action: 'sessions-ended', accountId, detail });
      return result;
    });
    if (ended === 0 && sessionId !== null) throw serviceError('session_not_found');
    await forgetPrincipals(deps, keyDigests);
    record.add({ ended });
    return { ended };
  },
);
