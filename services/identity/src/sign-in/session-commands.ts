import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps, Transaction } from '../deps.ts';
import { forgetPrincipals } from '../keys/index.ts';
import { lockAccounts } from '../store/accounts.ts';
import { audit, transact } from '../store/transact.ts';
import { pickEarlier } from './session-life.ts';
import { endTheseSessions, requireSession } from './sessions.ts';
import { findLiveSession, findLiveSessions, findSession, type ListedSession } from './store/sessions.ts';

/** What a session may see and end. */
const findOwnSessions = async ({ db, vault, now }: Deps, sessionDigest: string) => {
  const session = await findLiveSession(db, vault.keyedDigest(sessionDigest), now());
  return session ? findLiveSessions(db, session, now()) : [];
};

/** Ends sessions in each account on behalf of its person. */
const endByAccount = async (own: Transaction, sessions: readonly ListedSession[], sessionId: string | null) => {
  const result = { ended: 0, keyDigests: [] as string[] };
  for (const [accountId, ofAccount] of Map.groupBy(sessions, (session) => session.accountId)) {
    const transaction = { ...own, author: { ...own.author, personId: ofAccount[0]?.personId } };
    const ids = ofAccount.map(({ id }) => id);
    const { ended, keyDigests } = await endTheseSessions(transaction, ids);
    result.ended += ended;
    result.keyDigests.push(...keyDigests);
    const detail = sessionId ?? `all others: ${ended}`;
    if (ended > 0) await audit(transaction, { action: 'sessions-ended', accountId, detail });
  }
  return result;
};

export const listSessions = onCommand(identity.listSessions, async (deps: Deps, { sessionDigest }) => {
  const own = Buffer.from(deps.vault.keyedDigest(sessionDigest));
  return {
    sessions: (await findOwnSessions(deps, sessionDigest)).map(
      ({ id, accountId, keyedDigest, createdAt, seenAt, idleExpiresAt, expiresAt }) => ({
        id,
        account_id: accountId,
        created_at: createdAt.toISOString(),
        last_seen_at: seenAt.toISOString(),
        expires_at: pickEarlier(idleExpiresAt, expiresAt).toISOString(),
        current: own.equals(keyedDigest),
      }),
    ),
  };
});

/** Succeeds for a session that has ended. */
export const endSession = onCommand(
  identity.endSession,
  async (deps: Deps, { sessionDigest }, { requestId }) => {
    const session = await findSession(deps.db, deps.vault.keyedDigest(sessionDigest));
    if (session === null) return {};
    const { id, personId } = session;
    const { keyDigests } = await transact(deps, { actor: 'holder', personId, requestId }, (transaction) =>
      endTheseSessions(transaction, [id]),
    );
    await forgetPrincipals(deps, keyDigests);
    return {};
  },
);

/** Of two sessions that end each other, the second one fails with `session_required`. */
export const endSessions = onCommand(
  identity.endSessions,
  async (deps: Deps, { accountId, sessionDigest, sessionId, clientAddress }, { requestId, record }) => {
    const author = { actor: 'holder', requestId, clientAddress } as const;
    const accountIds = (await findOwnSessions(deps, sessionDigest)).map((session) => session.accountId);
    const { ended, keyDigests } = await transact(deps, author, async (transaction) => {
      const { tx, now } = transaction;
      const accounts = await lockAccounts(tx, [accountId, ...accountIds]);
      const { session, own } = await requireSession(transaction, accountId, sessionDigest);
      const others = (await findLiveSessions(tx, session, now)).filter(
        ({ id, ...other }) =>
          accounts.has(other.accountId) && (sessionId === null ? id !== session.id : id === sessionId),
      );
      return endByAccount(own, others, sessionId);
    });
    if (ended === 0 && sessionId !== null) throw serviceError('session_not_found');
    await forgetPrincipals(deps, keyDigests);
    record.add({ ended });
    return { ended };
  },
);
