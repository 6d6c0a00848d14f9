import { identity } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { findLiveSessions } from '../store/sessions.ts';

const soonerOf = (one: Date, other: Date): Date => (one < other ? one : other);

export const listSessions = onCommand(
  identity.listSessions,
  async ({ db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>, { accountId, sessionDigest }) => {
    const own = Buffer.from(vault.keyedDigest(sessionDigest));
    const sessions = await findLiveSessions(db, accountId, now());
    return {
      sessions: sessions.map(({ id, keyedDigest, createdAt, seenAt, idleExpiresAt, expiresAt }) => ({
        id,
        createdAt: createdAt.toISOString(),
        seenAt: seenAt.toISOString(),
        expiresAt: soonerOf(idleExpiresAt, expiresAt).toISOString(),
        isCurrent: own.equals(keyedDigest),
      })),
    };
  },
);
