import { identity } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { DASHBOARD_SLOT } from '../domain/key-limits.ts';
import { addKey, endKey, findKeyOfSession, forgetPrincipals } from '../keys/index.ts';
import { lockAccount } from '../store/accounts.ts';
import { audit, transact } from '../store/transact.ts';
import { requireSession } from './sessions.ts';

const NAME = 'Dashboard';

/** The account's lock serializes the tabs of a session, so that all get one key. */
export const createDashboardKey = onCommand(
  identity.createDashboardKey,
  async (deps: Deps, request, { requestId, record }) => {
    const { accountId, sessionDigest, clientAddress, keyId, replaces, ...secrets } = request;
    const author = { actor: 'holder', requestId, clientAddress } as const;
    const { ended, ...reply } = await transact(deps, author, async (transaction) => {
      const { tx, vault } = transaction;
      await lockAccount(tx, accountId);
      const { session, own } = await requireSession(transaction, accountId, sessionDigest);
      const { id: sessionId, personId } = session;
      const existing = await findKeyOfSession(tx, { accountId, sessionId });
      if (existing && existing.id !== replaces) {
        const { id, prefix, encryptedDigest } = existing;
        return { key: { id, prefix }, keyDigest: vault.decrypt(encryptedDigest, id), ended: null };
      }
      const replacedDigest = existing && (await endKey(own, { keyId: existing.id, atOnce: false }));
      const fields = { id: keyId, accountId, personId, sessionId, name: NAME, dailyCreditCap: null };
      const { prefix, keyDigest } = await addKey(own, { ...fields, slot: DASHBOARD_SLOT, ...secrets });
      await audit(own, { action: 'key-created', accountId, keyId, detail: `of the session ${sessionId}` });
      return { key: { id: keyId, prefix }, keyDigest, ended: replacedDigest };
    });
    if (ended) await forgetPrincipals(deps, [ended]);
    record.add({ keyId: reply.key.id });
    return reply;
  },
);
