import { identity, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import { endTheseSessions } from '../application/sign-in.ts';
import type { Deps } from '../deps.ts';
import { insertAuditEntries, lockAccount } from '../store/accounts.ts';
import { findLiveSession, findLiveSessions, findSessionId } from '../store/sessions.ts';

const soonerOf = (one: Date, other: Date): Date => (one < other ? one : other);

export const listSessions = onCommand(
  identity.listSessions,
  async ({ db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>, { accountId, sessionDigest }) => {
    const own = Buffer.from(vault.keyedDigest(sessionDigest));
    const sessions = await findLiveSessions(db, accountId, now());
    return {
      sessions: sessions.map(({ id, keyedDigest, createdAt, seenAt, idleExpiresAt, expiresAt }) => ({
        id,
        created_at: createdAt.toISOString(),
        last_seen_at: seenAt.toISOString(),
        expires_at: soonerOf(idleExpiresAt, expiresAt).toISOString(),
        current: own.equals(keyedDigest),
      })),
    };
  },
);

/** Succeeds for a session that has ended. */
export const endSession = onCommand(
  identity.endSession,
  async ({ db, messaging, vault }: Pick<Deps, 'db' | 'messaging' | 'vault'>, { sessionDigest }) => {
    const id = await findSessionId(db, vault.keyedDigest(sessionDigest));
    if (id !== null) await messaging.transaction(db, (tx, send) => endTheseSessions({ tx, send }, [id]));
    return {};
  },
);

/** Of two sessions that end each other, the second one fails with `session_required`. */
export const endSessions = onCommand(
  identity.endSessions,
  async (
    { db, messaging, vault, now }: Pick<Deps, 'db' | 'messaging' | 'vault' | 'now'>,
    { accountId, sessionDigest, sessionId, clientAddress },
    { requestId, record },
  ) => {
    const at = now();
    const ended = await messaging.transaction(db, async (tx, send) => {
      await lockAccount(tx, accountId);
      const own = await findLiveSession(tx, vault.keyedDigest(sessionDigest), at);
      if (own?.accountId !== accountId) throw serviceError('session_required');
      const live = await findLiveSessions(tx, accountId, at);
      const wanted = live.filter(({ id }) => (sessionId === null ? id !== own.id : id === sessionId));
      const count = await endTheseSessions(
        { tx, send },
        wanted.map(({ id }) => id),
      );
      if (count === 0) return 0;
      const detail = sessionId ?? `all others: ${count}`;
      const who = { actor: 'holder', accountId, requestId, clientAddress } as const;
      await insertAuditEntries(tx, [{ at, action: 'sessions-ended', detail, ...who }]);
      return count;
    });
    if (ended === 0 && sessionId !== null) throw serviceError('session_not_found');
    record.add({ ended });
    return { ended };
  },
);
