import type { PrincipalRow } from '../../domain/principal.ts';
import type { Bytes } from '../../domain/vault.ts';
import type { Db } from '../../store/database.ts';
import { isOf } from '../../store/people.ts';
import type { Session } from '../../store/prisma/client.ts';

export const insertSession = (db: Db, session: Session) => db.session.create({ data: session });

const livesAt = (now: Date) => ({ idleExpiresAt: { gt: now }, expiresAt: { gt: now } });

type LiveSession = Pick<Session, 'id' | 'seenAt' | 'expiresAt'> &
  Pick<PrincipalRow, 'accountId' | 'status' | 'tier' | 'accountCreatedAt' | 'personId' | 'role'>;

export const findLiveSession = async (db: Db, keyedDigest: Bytes, now: Date): Promise<LiveSession | null> => {
  const [session] = await db.$queryRaw<LiveSession[]>`
    SELECT s.id, s.seen_at AS "seenAt", s.expires_at AS "expiresAt",
      a.id AS "accountId", a.status, a.tier, a.created_at AS "accountCreatedAt",
      p.id AS "personId", p.role
    FROM sessions s JOIN accounts a ON a.id = s.account_id JOIN people p ON p.id = coalesce(s.person_id, s.account_id)
    WHERE p.removed_at IS NULL AND s.keyed_digest = ${keyedDigest}
      AND s.idle_expires_at > ${now}::timestamptz AND s.expires_at > ${now}::timestamptz`;
  return session ?? null;
};

/** Moves the idle expiry of a session that still exists; times never move back. */
export const updateSessionLife = (db: Db, id: string, life: { seenAt: Date; idleExpiresAt: Date }) =>
  db.session.updateMany({ where: { id, seenAt: { lt: life.seenAt } }, data: life });

/** Those of one person. */
export const findLiveSessions = (
  db: Db,
  person: { readonly accountId: string; readonly id: string },
  now: Date,
): Promise<Session[]> =>
  db.session.findMany({
    where: { accountId: person.accountId, ...isOf(person), ...livesAt(now) },
    orderBy: [{ seenAt: 'desc' }, { id: 'asc' }],
  });

/** Resolves to those that existed. */
export const deleteSessions = async (
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; accountId: string }[]> =>
  db.$queryRaw<{ id: string; accountId: string }[]>`
    DELETE FROM sessions WHERE id = ANY (${ids}::uuid[]) RETURNING id, account_id AS "accountId"`;

export const findSession = (
  db: Db,
  keyedDigest: Bytes,
): Promise<{ id: string; personId: string | null } | null> =>
  db.session.findUnique({ where: { keyedDigest }, select: { id: true, personId: true } });

export const deleteSessionsOfAccount = (db: Db, accountId: string) =>
  db.session.deleteMany({ where: { accountId } });
