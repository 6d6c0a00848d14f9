import { randomUUID } from 'node:crypto';
import { createApiKey, digestSecret, displayPrefix } from '@tds/contracts';
import type { CoreDeps } from '../deps.ts';
import { DASHBOARD_SLOT } from '../domain/key-limits.ts';
import { lockAccount } from '../store/accounts.ts';
import { audit, transact } from '../store/transact.ts';
import { addKey } from './new-keys.ts';
import { findKeyPhase } from './store/key-phase.ts';

type Passed = { readonly accountId: string; readonly keyId: string; readonly heirId: string };

/**
 * Creates the key on which the ledger books what was passed on to a person who has none of their sessions. Its secret is thrown away and its
 * session does not exist, so it opens nothing. The account's lock serializes callers, so that all get one key.
 */
export const createPayingKey = (
  deps: CoreDeps,
  { accountId, keyId, heirId: personId }: Passed,
  requestId: string,
): Promise<string> =>
  transact(deps, { actor: 'service', requestId }, async (transaction) => {
    const { tx, now } = transaction;
    await lockAccount(tx, accountId);
    const existing = (await findKeyPhase(tx, { accountId, keyId }, now))?.payingKeyId;
    if (existing) return existing;
    const secret = createApiKey();
    const { id } = await addKey(transaction, {
      ...{ accountId, personId, sessionId: randomUUID(), name: 'Dashboard', slot: DASHBOARD_SLOT },
      ...{ dailyCreditCap: null, keyDigest: digestSecret(secret), keyPrefix: displayPrefix(secret) },
    });
    const detail = `pays what was passed on to ${personId}`;
    await audit(transaction, { action: 'key-created', accountId, keyId: id, detail });
    return id;
  });
