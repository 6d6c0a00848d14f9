import type { PrincipalRow } from '../../domain/principal.ts';
import type { Bytes } from '../../domain/vault.ts';
import type { Db } from '../../store/database.ts';
import type { Session } from '../../store/prisma/client.ts';

export const insertSession = (db: Db, session: Session) => db.session.create({ data: session });

type LiveSession = Pick<Session, 'id' | 'seenAt' | 'expiresAt' | 'isInvited'> &
  Pick<
    PrincipalRow,
    'accountId' | 'status' | 'tier' | 'accountCreatedAt' | 'personId' | 'role' | 'isPersonCapped'
  >;

export const findLiveSession = async (db: Db, keyedDigest: Bytes, now: Date): Promise<LiveSession | null> => {
  const [session] = await db.$queryRaw<LiveSession[]>`
    SELECT s.id, s.seen_at AS "seenAt", s.expires_at AS "expiresAt", s.is_invited AS "isInvited",
      a.id AS "accountId", a.status, a.tier, a.created_at AS "accountCreatedAt",
      p.id AS "personId", p.role, p.daily_credit_cap IS NOT NULL AS "isPersonCapped"
    FROM sessions s JOIN accounts a ON a.id = s.account_id JOIN people p ON p.id = coalesce(s.person_id, s.account_id)
    WHERE p.removed_at IS NULL AND s.keyed_digest = ${keyedDigest}
      AND s.idle_expires_at > ${now}::timestamptz AND s.expires_at > ${now}::timestamptz`;
  return session ?? null;
};

/** Moves the idle expiry of a session that still exists; times never move back. */
export const updateSessionLife = (db: Db, id: string, life: { seenAt: Date; idleExpiresAt: Date }) =>
  db.session.updateMany({ where: { id, seenAt: { lt: life.seenAt } }, data: life });

export type ListedSession = Omit<Session, 'personId' | 'isInvited'> & { readonly personId: string };

/** Those of the address of a session, in all its accounts, or in this one alone if an invitation has opened it. The last used comes first. */
export const findLiveSessions = (
  db: Db,
  { personId, isInvited }: Pick<LiveSession, 'personId' | 'isInvited'>,
  now: Date,
): Promise<ListedSession[]> =>
  db.$queryRaw<ListedSession[]>`
    SELECT s.id, s.account_id AS "accountId", p.id AS "personId", s.keyed_digest AS "keyedDigest", s.created_at AS "createdAt", s.seen_at AS "seenAt",
      s.idle_expires_at AS "idleExpiresAt", s.expires_at AS "expiresAt"
    FROM people me JOIN people p ON p.email = me.email AND p.removed_at IS NULL AND (p.id = me.id OR NOT ${isInvited}::boolean)
    JOIN sessions s ON s.account_id = p.account_id AND coalesce(s.person_id, s.account_id) = p.id
    WHERE me.id = ${personId}::uuid AND s.idle_expires_at > ${now}::timestamptz AND s.expires_at > ${now}::timestamptz
    ORDER BY s.seen_at DESC, s.id`;

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
