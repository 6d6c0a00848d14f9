import {
  CODE_LIFE_MS,
  GUESSES_PER_CODE,
  type GuessCount,
  LOCK_MS,
  WRONG_GUESSES_PER_DAY,
} from '../domain/guess-rules.ts';
import { DAY_MS, earlier, later } from '../domain/time.ts';
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

export type LiveChallenge = {
  readonly challengeId: string;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
};

/**
 * Counts one guess as wrong before anyone looks at it, so that no number of parallel guesses gets past the limits; the
 * fifth locks the address. Null where the guess must not be evaluated.
 */
export const countGuess = async (db: Db, email: string, now: Date): Promise<LiveChallenge | null> => {
  const dayAgo = earlier(now, DAY_MS);
  const [challenge] = await db.$queryRaw<LiveChallenge[]>`
    UPDATE sign_in_addresses SET
      wrong_guesses = CASE WHEN locked_until IS NULL THEN wrong_guesses + 1 ELSE 1 END,
      locked_until = CASE WHEN locked_until IS NULL AND wrong_guesses + 1 >= ${GUESSES_PER_CODE}::int
        THEN ${later(now, LOCK_MS)}::timestamptz END,
      day_guesses = CASE WHEN day_started_at > ${dayAgo}::timestamptz THEN day_guesses + 1 ELSE 1 END,
      day_started_at = CASE WHEN day_started_at > ${dayAgo}::timestamptz THEN day_started_at
        ELSE ${now}::timestamptz END
    WHERE email = ${email}
      AND (locked_until IS NULL OR locked_until <= ${now}::timestamptz)
      AND (day_started_at IS NULL OR day_started_at <= ${dayAgo}::timestamptz
        OR day_guesses < ${WRONG_GUESSES_PER_DAY}::int)
    RETURNING challenge_id AS "challengeId", expires_at AS "expiresAt", used_at AS "usedAt"`;
  return challenge ?? null;
};

/** Takes back the count of a guess that was right, and the lock that it may have set. */
export const uncountGuess = async (db: Db, email: string, challengeId: string): Promise<void> => {
  await db.$executeRaw`
    UPDATE sign_in_addresses SET
      wrong_guesses = greatest(wrong_guesses - 1, 0), day_guesses = greatest(day_guesses - 1, 0), locked_until = NULL
    WHERE email = ${email} AND challenge_id = ${challengeId}::uuid`;
};

/** Spends the code and clears its guesses. Of any number of callers exactly one gets true. */
export const spendChallenge = async (
  db: Db,
  { email, challengeId }: NewChallenge,
  now: Date,
): Promise<boolean> => {
  const spent = await db.$executeRaw`
    UPDATE sign_in_addresses SET
      used_at = ${now}::timestamptz, wrong_guesses = 0, locked_until = NULL,
      day_guesses = greatest(day_guesses - 1, 0)
    WHERE email = ${email} AND challenge_id = ${challengeId}::uuid
      AND used_at IS NULL AND expires_at > ${now}::timestamptz`;
  return spent === 1;
};

export const readGuessCount = (db: Db, email: string): Promise<GuessCount | null> =>
  db.signInAddress.findUnique({
    where: { email },
    select: { lockedUntil: true, dayStartedAt: true, dayGuesses: true },
  });

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
