import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { refusedOther } from '../domain/key-limits.ts';
import { forgetPrincipals, holderOf, lockForChange, requireOwn } from '../keys/index.ts';
import { requireSession } from '../sign-in/index.ts';
import { lockAccount } from '../store/accounts.ts';
import { transact } from '../store/transact.ts';
import { connectApp, disconnectApp, mailDisconnected, toConnection } from './connections.ts';
import { findConnection, findConnections, findTokenDigests } from './store/connections.ts';

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
    const { accountId, clientAddress } = request;
    const author = { actor: 'holder', requestId, clientAddress } as const;
    const stored = await transact(deps, author, async (transaction) => {
      const account = await lockAccount(transaction.tx, accountId);
      if (account.status === 'closed') throw serviceError('account_closed');
      const { session, own } = await requireSession(transaction, accountId, sessionDigest);
      return connectApp(own, { ...request, personId: session.personId });
    });
    // Of a connection that was made again: its tokens may less by now.
    const tokens = await findTokenDigests(deps.db, stored.grantId);
    await forgetPrincipals(
      deps,
      tokens.map((encrypted) => deps.vault.decrypt(encrypted, stored.id)),
    );
    record.add({ keyId: stored.id });
    return { connection: toConnection(stored) };
  },
);

export const endConnection = onCommand(
  identity.endConnection,
  async (deps: Deps, { accountId, connectionId: id, by }, { requestId, record }) => {
    const { stored, digests } = await transact(deps, holderOf(by, requestId), async (transaction) => {
      const lock = await lockForChange(transaction, accountId);
      const connection = await findConnection(transaction.tx, { accountId, id }, transaction.now);
      if (connection === null) throw serviceError('connection_not_found');
      requireOwn(lock, connection);
      const refusal = refusedOther(lock.asker, null);
      if (refusal) throw refusal;
      const digests = await disconnectApp(transaction, connection);
      await mailDisconnected(transaction, connection, 'holder');
      return { stored: connection, digests };
    });
    await forgetPrincipals(deps, digests);
    record.add({ keyId: id });
    return { connection: toConnection(stored) };
  },
);
