import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { forgetPrincipals } from '../application/forget-principals.ts';
import { endTheseSessions } from '../application/sessions.ts';
import type { Deps } from '../deps.ts';
import { pickEarlier } from '../domain/session-life.ts';
import { insertAuditEntries, lockAccount } from '../store/accounts.ts';
import { findLiveSession, findLiveSessions, findSession } from '../store/sessions.ts';

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
    const now = deps.now();
    const session = await findSession(deps.db, deps.vault.keyedDigest(sessionDigest));
    if (session === null) return {};
    const { id, personId } = session;
    const { keyDigests } = await deps.messaging.transaction(deps.db, (tx, send) =>
      endTheseSessions({ tx, send, now }, deps.vault, { ids: [id], personId, requestId }),
    );
    await forgetPrincipals(deps, keyDigests);
    return {};
  },
);

/** Of two sessions that end each other, the second one fails with `session_required`. */
export const endSessions = onCommand(
  identity.endSessions,
  async (deps: Deps, { accountId, sessionDigest, sessionId, clientAddress }, { requestId, record }) => {
    const { db, messaging, vault } = deps;
    const now = deps.now();
    const { ended, keyDigests } = await messaging.transaction(db, async (tx, send) => {
      await lockAccount(tx, accountId);
      const own = await findLiveSession(tx, vault.keyedDigest(sessionDigest), now);
      if (own?.accountId !== accountId) throw serviceError('session_required');
      const live = await findLiveSessions(tx, { accountId, id: own.personId }, now);
      const ids = live
        .map(({ id }) => id)
        .filter((id) => (sessionId === null ? id !== own.id : id === sessionId));
      const { personId } = own;
      const author = { personId, requestId, clientAddress } as const;
      const result = await endTheseSessions({ tx, send, now }, vault, { ids, ...author });
      if (result.ended === 0) return result;
      const detail = sessionId ?? `all others: ${result.ended}`;
      const entry = { at: now, action: 'sessions-ended', actor: 'holder', accountId, detail } as const;
      await insertAuditEntries(tx, [{ ...entry, ...author }]);
      return result;
    });
    if (ended === 0 && sessionId !== null) throw serviceError('session_not_found');
    await forgetPrincipals(deps, keyDigests);
    record.add({ ended });
    return { ended };
  },
);
