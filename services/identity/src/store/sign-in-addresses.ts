import { CODE_LIFE_MS, GUESSES_PER_CODE, type GuessedCode, LOCK_MS } from '../domain/guess-rules.ts';
import { later } from '../domain/time.ts';
import type { Db } from './prisma-client.ts';

type NewChallenge = { readonly email: string; readonly challengeId: string };

/**
 * Makes this the only live challenge of its address and forgets the guesses at the one before. False where the
 * address is locked: then nothing changes.
 */
export const issueChallenge = async (
  db: Db,
  { email, challengeId }: NewChallenge,
  now: Date,
): Promise<boolean> => {
  const issued = await db.$executeRaw`
    INSERT INTO sign_in_addresses AS a (email, challenge_id, issued_at, expires_at)
    VALUES (${email}, ${challengeId}::uuid, ${now}::timestamptz, ${later(now, CODE_LIFE_MS)}::timestamptz)
    ON CONFLICT (email) DO UPDATE SET
      challenge_id = excluded.challenge_id, issued_at = excluded.issued_at, expires_at = excluded.expires_at,
      mailed_at = NULL, used_at = NULL, wrong_guesses = 0, locked_until = NULL
    WHERE a.locked_until IS NULL OR a.locked_until <= ${now}::timestamptz`;
  return issued === 1;
};

export type GuessedChallenge = GuessedCode & { readonly challengeId: string };

/**
 * Counts one guess at a live code as wrong before anyone looks at it, so that no number of parallel guesses gets past the
 * limit; the fifth locks the address. Null where no code was asked for: one statement, whatever it finds.
 */
export const countGuess = async (db: Db, email: string, now: Date): Promise<GuessedChallenge | null> => {
  const [challenge] = await db.$queryRaw<GuessedChallenge[]>`
    WITH counted AS (
      UPDATE sign_in_addresses SET
        wrong_guesses = wrong_guesses + 1,
        locked_until = CASE WHEN wrong_guesses + 1 >= ${GUESSES_PER_CODE}::int
          THEN ${later(now, LOCK_MS)}::timestamptz END
      WHERE email = ${email} AND used_at IS NULL AND expires_at > ${now}::timestamptz AND locked_until IS NULL
      RETURNING challenge_id
    )
    SELECT a.challenge_id AS "challengeId", a.expires_at AS "expiresAt", a.used_at AS "usedAt",
      a.locked_until AS "lockedUntil", EXISTS (SELECT FROM counted c WHERE c.challenge_id = a.challenge_id) AS "isCounted"
    FROM sign_in_addresses a WHERE a.email = ${email}`;
  return challenge ?? null;
};

/** Spends the code and clears its guesses. Of any number of callers exactly one gets true. */
export const spendChallenge = async (
  db: Db,
  { email, challengeId }: NewChallenge,
  now: Date,
): Promise<boolean> => {
  const spent = await db.$executeRaw`
    UPDATE sign_in_addresses SET
      used_at = ${now}::timestamptz, wrong_guesses = 0, locked_until = NULL
    WHERE email = ${email} AND challenge_id = ${challengeId}::uuid
      AND used_at IS NULL AND expires_at > ${now}::timestamptz`;
  return spent === 1;
};

export const readLock = (db: Db, email: string): Promise<{ lockedUntil: Date | null } | null> =>
  db.signInAddress.findUnique({ where: { email }, select: { lockedUntil: true } });

/** The address that the challenge's code still has to be mailed to; null where it is too late or was done. */
export const findUnsentChallenge = (
  db: Db,
  challengeId: string,
  now: Date,
): Promise<{ email: string } | null> =>
  db.signInAddress.findUnique({
    where: { challengeId, mailedAt: null, usedAt: null, expiresAt: { gt: now } },
    select: { email: true },
  });

export const markMailed = async (db: Db, challengeId: string, now: Date): Promise<void> => {
  await db.signInAddress.updateMany({ where: { challengeId }, data: { mailedAt: now } });
};
