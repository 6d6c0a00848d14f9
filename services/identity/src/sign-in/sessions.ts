import { randomUUID } from 'node:crypto';
import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Transaction } from '../deps.ts';
import { endKey, findKeyOfSession } from '../keys/index.ts';
import { markSignedIn, type Person } from '../store/people.ts';
import { newSessionLife, pickEarlier } from './session-life.ts';
import { deleteSessions, findLiveSession, insertSession } from './store/sessions.ts';

type NewSession = {
  readonly person: Pick<Person, 'id' | 'accountId'>;
  readonly sessionDigest: string;
  /** Of the session in whose place it comes. */
  readonly expiresAt?: Date;
  /** By the code of an invitation alone. */
  readonly isInvited?: boolean;
};

/** Opens a session of a person of a locked account. */
export const openSession = async (
  { tx, send, now, vault }: Transaction,
  { person, sessionDigest, expiresAt, isInvited = false }: NewSession,
) => {
  const { id: personId, accountId } = person;
  const fresh = newSessionLife(now);
  const life = expiresAt
    ? { expiresAt, idleExpiresAt: pickEarlier(fresh.idleExpiresAt, expiresAt) }
    : { expiresAt: fresh.expiresAt };
  const id = randomUUID();
  const keyedDigest = vault.keyedDigest(sessionDigest);
  await insertSession(tx, { id, accountId, personId, keyedDigest, isInvited, ...fresh, ...life });
  await markSignedIn(tx, personId, now);
  await send.emit(identity.sessionOpened, { accountId });
  return { accountId, sessionId: id, sessionExpiresAt: life.expiresAt.toISOString() };
};

/** A live session of a locked account, and the transaction on behalf of its person. Throws `session_required`. */
export const requireSession = async <Own extends Transaction>(
  transaction: Own,
  accountId: string,
  sessionDigest: string,
) => {
  const { tx, now, vault, author } = transaction;
  const session = await findLiveSession(tx, vault.keyedDigest(sessionDigest), now);
  if (session?.accountId !== accountId) throw serviceError('session_required');
  return { session, own: { ...transaction, author: { ...author, personId: session.personId } } };
};

/**
 * Ends sessions of locked accounts for good, also after a restore, and their dashboard keys, whose jobs go on. Resolves to their number, and to
 * the digests of the keys, which the caller forgets.
 */
export const endTheseSessions = async (
  transaction: Transaction,
  ids: readonly string[],
): Promise<{ ended: number; keyDigests: string[] }> => {
  const { tx, send } = transaction;
  const sessions = await deleteSessions(tx, ids);
  const keyDigests: string[] = [];
  for (const { id: sessionId, accountId } of sessions) {
    const key = await findKeyOfSession(tx, { accountId, sessionId });
    const digest = key && (await endKey(transaction, { keyId: key.id, atOnce: false }));
    if (digest) keyDigests.push(digest);
  }
  for (const [accountId, ended] of Map.groupBy(sessions, (session) => session.accountId))
    await send.emit(identity.sessionsEnded, { accountId, sessionIds: ended.map(({ id }) => id) });
  return { ended: sessions.length, keyDigests };
};
