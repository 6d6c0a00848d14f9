import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { connectApp, disconnectApp, mailDisconnected, toConnection } from '../application/connections.ts';
import { forgetPrincipals } from '../application/forget-principals.ts';
import { holderOf, lockForChange, requireOwn } from '../application/key-changes.ts';
import type { Deps } from '../deps.ts';
import { refusedOther } from '../domain/key-limits.ts';
import { lockAccount } from '../store/accounts.ts';
import { findConnection, findConnections } from '../store/connections.ts';
import { findLiveSession } from '../store/sessions.ts';

export const listConnections = onCommand(
  identity.listConnections,
  async ({ db, now }: Deps, { accountId }) => ({
    connections: (await findConnections(db, accountId, now())).map(toConnection),
  }),
);

/** The account's lock serializes new connections, so that their limit is exact. */
export const createConnection = onCommand(
  identity.createConnection,
  async (deps: Deps, { sessionDigest, ...request }, { requestId, record }) => {
    const now = deps.now();
    const stored = await deps.messaging.transaction(deps.db, async (tx, send) => {
      const account = await lockAccount(tx, request.accountId);
      if (account.status === 'closed') throw serviceError('account_closed');
      const session = await findLiveSession(tx, deps.vault.keyedDigest(sessionDigest), now);
      if (session?.accountId !== request.accountId) throw serviceError('session_required');
      return connectApp(deps, { tx, send, now }, { ...request, personId: session.personId, requestId });
    });
    record.add({ keyId: stored.id });
    return { connection: toConnection(stored) };
  },
);

export const endConnection = onCommand(
  identity.endConnection,
  async (deps: Deps, { accountId, connectionId: id, by }, { requestId, record }) => {
    const now = deps.now();
    const { stored, digests } = await deps.messaging.transaction(deps.db, async (tx, send) => {
      const lock = await lockForChange(tx, { accountId, by, now });
      const connection = await findConnection(tx, { accountId, id }, now);
      if (connection === null) throw serviceError('connection_not_found');
      requireOwn(lock, connection);
      const { asker } = lock;
      const refusal = refusedOther(asker, null);
      if (refusal) throw refusal;
      const author = { requestId, ...holderOf(by) };
      const digests = await disconnectApp({ tx, send, now }, deps.vault, connection, author);
      await mailDisconnected({ tx, send, now }, connection, 'holder');
      return { stored: connection, digests };
    });
    await forgetPrincipals(deps, digests);
    record.add({ keyId: id });
    return { connection: toConnection(stored) };
  },
);
