import { randomUUID } from 'node:crypto';
import { identity } from '@tds/contracts';
import type { Deps, Transaction } from '../deps.ts';
import { newSessionLife, pickEarlier } from '../domain/session-life.ts';
import type { AuditEntry } from '../store/accounts.ts';
import { findKeyOfSession } from '../store/api-keys.ts';
import { markSignedIn, type Person } from '../store/people.ts';
import { deleteSessions, insertSession } from '../store/sessions.ts';
import { endKey } from './key-changes.ts';

type NewSession = {
  readonly person: Pick<Person, 'id' | 'accountId'>;
  readonly sessionDigest: string;
  /** Of the session in whose place it comes. */
  readonly expiresAt?: Date;
};

/** Opens a session of a person of a locked account. */
export const openSession = async (
  { vault }: Pick<Deps, 'vault'>,
  { tx, now }: Transaction,
  { person, sessionDigest, expiresAt }: NewSession,
) => {
  const { id: personId, accountId } = person;
  const fresh = newSessionLife(now);
  const life = expiresAt
    ? { expiresAt, idleExpiresAt: pickEarlier(fresh.idleExpiresAt, expiresAt) }
    : { expiresAt: fresh.expiresAt };
  const id = randomUUID();
  const keyedDigest = vault.keyedDigest(sessionDigest);
  await insertSession(tx, { id, accountId, personId, keyedDigest, ...fresh, ...life });
  await markSignedIn(tx, personId, now);
  return { accountId, sessionId: id, sessionExpiresAt: life.expiresAt.toISOString() };
};

type SessionsEnd = Pick<AuditEntry, 'requestId' | 'clientAddress' | 'personId'> & {
  readonly ids: readonly string[];
};

/**
 * Ends sessions of one account for good, also after a restore, and their dashboard keys, whose jobs go on. Resolves to their number, and to
 * the digests of the keys, which the caller forgets.
 */
export const endTheseSessions = async (
  transaction: Transaction,
  vault: Deps['vault'],
  { ids, ...author }: SessionsEnd,
): Promise<{ ended: number; keyDigests: string[] }> => {
  const { tx, send, now } = transaction;
  const sessions = await deleteSessions(tx, ids);
  const keyDigests: string[] = [];
  for (const { id: sessionId, accountId } of sessions) {
    const key = await findKeyOfSession(tx, { accountId, sessionId });
    const end = { revokeAt: now, atOnce: false, actor: 'holder', ...author } as const;
    const digest = key && (await endKey(transaction, vault, { keyId: key.id, ...end }));
    if (digest) keyDigests.push(digest);
  }
  const [first] = sessions;
  if (first) {
    const sessionIds = sessions.map(({ id }) => id);
    await send.emit(identity.sessionsEnded, { accountId: first.accountId, sessionIds });
  }
  return { ended: sessions.length, keyDigests };
};
