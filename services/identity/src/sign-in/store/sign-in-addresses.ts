import { CODE_LIFE_MS, type DeadCode, GUESSES_PER_CODE, LOCK_MS } from '../../domain/sign-in-code.ts';
import { later } from '../../domain/time.ts';
import type { Db } from '../../store/database.ts';
import { Prisma } from '../../store/prisma/client.ts';

type NewChallenge = { readonly email: string; readonly challengeId: string };

/**
 * Makes this the only live challenge of its address and clears the guesses at the one before. False, without a change, if the address is
 * locked. A known browser passes the lock, which stays for all others.
 */
export const issueChallenge = async (
  db: Db,
  { email, challengeId, passesLock }: NewChallenge & { readonly passesLock: boolean },
  now: Date,
): Promise<boolean> => {
  const issued = await db.$executeRaw`
    INSERT INTO sign_in_addresses AS a (email, challenge_id, issued_at, expires_at)
    VALUES (${email}, ${challengeId}::uuid, ${now}::timestamptz, ${later(now, CODE_LIFE_MS)}::timestamptz)
    ON CONFLICT (email) DO UPDATE SET
      challenge_id = excluded.challenge_id, issued_at = excluded.issued_at, expires_at = excluded.expires_at,
      mailed_at = NULL, used_at = NULL, wrong_guesses = 0, device_guesses = 0,
      locked_until = CASE WHEN a.locked_until > ${now}::timestamptz THEN a.locked_until END
    WHERE ${passesLock}::boolean OR a.locked_until IS NULL OR a.locked_until <= ${now}::timestamptz`;
  return issued === 1;
};

type GuessedChallenge = {
  readonly challengeId: string;
  /** Whether the code was usable: not locked, used or expired. */
  readonly isCounted: boolean;
};

/** SQL for one kind of caller: the counter, whether the code is usable, and the end of the lock. */
type Guesser = { readonly counts: Prisma.Sql; readonly isOpen: Prisma.Sql; readonly lockedUntil: Prisma.Sql };

/** The fifth guess locks the address, except for known browsers. */
const unknownDevice = (now: Date): Guesser => ({
  counts: Prisma.sql`wrong_guesses = wrong_guesses + 1,
    locked_until = CASE WHEN wrong_guesses + 1 >= ${GUESSES_PER_CODE}::int
      THEN ${later(now, LOCK_MS)}::timestamptz END`,
  isOpen: Prisma.sql`(locked_until IS NULL OR locked_until <= ${now}::timestamptz)`,
  lockedUntil: Prisma.sql`a.locked_until`,
});

/** Five guesses of known browsers use up the code for all of them. */
const knownDevice: Guesser = {
  counts: Prisma.sql`device_guesses = device_guesses + 1`,
  isOpen: Prisma.sql`device_guesses < ${GUESSES_PER_CODE}::int`,
  lockedUntil: Prisma.sql`CASE WHEN a.device_guesses >= ${GUESSES_PER_CODE}::int THEN a.expires_at END`,
};

const selectGuesser = (device: string | null, now: Date): Guesser =>
  device === null ? unknownDevice(now) : knownDevice;

type Target = { readonly email: string; readonly device: string | null };

/**
 * Counts a guess as wrong before it is evaluated, so that parallel guesses cannot pass the limit. Null if no code was requested. Always one
 * statement.
 */
export const countGuess = async (
  db: Db,
  { email, device }: Target,
  now: Date,
): Promise<GuessedChallenge | null> => {
  const { counts, isOpen } = selectGuesser(device, now);
  const [challenge] = await db.$queryRaw<GuessedChallenge[]>`
    WITH counted AS (
      UPDATE sign_in_addresses SET ${counts}
      WHERE email = ${email} AND used_at IS NULL AND expires_at > ${now}::timestamptz AND ${isOpen}
      RETURNING challenge_id
    )
    SELECT a.challenge_id AS "challengeId",
      EXISTS (SELECT FROM counted c WHERE c.challenge_id = a.challenge_id) AS "isCounted"
    FROM sign_in_addresses a WHERE a.email = ${email}`;
  return challenge ?? null;
};

/**
 * Why a code cannot be used; null if a newer code has replaced it. A separate statement, because one that waited for another's commit
 * still sees the state before it.
 */
export const readDeadCode = async (
  db: Db,
  { email, device, challengeId }: Target & NewChallenge,
  now: Date,
): Promise<DeadCode | null> => {
  const { lockedUntil } = selectGuesser(device, now);
  const [code] = await db.$queryRaw<DeadCode[]>`
    SELECT ${lockedUntil} AS "lockedUntil", a.used_at AS "usedAt"
    FROM sign_in_addresses a WHERE a.email = ${email} AND a.challenge_id = ${challengeId}::uuid`;
  return code ?? null;
};

/** Spends the code and clears its guesses. Of any number of callers exactly one gets true. */
export const spendChallenge = async (
  db: Db,
  { email, challengeId }: NewChallenge,
  now: Date,
): Promise<boolean> => {
  const { count } = await db.signInAddress.updateMany({
    where: { email, challengeId, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now, wrongGuesses: 0, deviceGuesses: 0, lockedUntil: null },
  });
  return count === 1;
};

export const readLock = (db: Db, email: string): Promise<{ lockedUntil: Date | null } | null> =>
  db.signInAddress.findUnique({ where: { email }, select: { lockedUntil: true } });

/** The address to which the challenge's code must still be mailed; null if it is too late or was done. */
export const findUnsentChallenge = (
  db: Db,
  challengeId: string,
  now: Date,
): Promise<{ email: string } | null> =>
  db.signInAddress.findUnique({
    where: { challengeId, mailedAt: null, usedAt: null, expiresAt: { gt: now } },
    select: { email: true },
  });

export const markMailed = (db: Db, challengeId: string, now: Date) =>
  db.signInAddress.updateMany({ where: { challengeId }, data: { mailedAt: now } });
