import { identity, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { forgetPrincipals } from '../application/forget-principals.ts';
import { auditKeyChange, endKey, holderOf } from '../application/key-changes.ts';
import { addKey } from '../application/new-keys.ts';
import type { Deps, Transaction } from '../deps.ts';
import { DASHBOARD_SLOT } from '../domain/key-limits.ts';
import { lockAccount } from '../store/accounts.ts';
import { findKeyOfSession } from '../store/api-keys.ts';
import { findLiveSession } from '../store/sessions.ts';

type Request = RequestOf<typeof identity.createDashboardKey>;

const NAME = 'Dashboard';

const createForSession = async (
  deps: Deps,
  transaction: Transaction,
  {
    accountId,
    personId,
    sessionId,
    keyId: id,
    clientAddress,
    ...secrets
  }: Request & { readonly sessionId: string; readonly personId: string },
  requestId: string,
) => {
  const fields = { id, accountId, personId, sessionId, name: NAME, dailyCreditCap: null, slot: DASHBOARD_SLOT };
  const { prefix } = await addKey(deps, transaction, { ...fields, ...secrets });
  const by = { keyId: null, personId, clientAddress };
  const change = { at: transaction.now, action: 'key-created', accountId, keyId: id, requestId, by } as const;
  await auditKeyChange(transaction.tx, { ...change, detail: `of the session ${sessionId}` });
  const secret = [secrets, ...(secrets.spares ?? [])].find(({ keyPrefix }) => keyPrefix === prefix);
  return { key: { id, prefix }, keyDigest: secret?.keyDigest ?? secrets.keyDigest };
};

/** The account's lock serializes the tabs of a session, so that all get one key. */
export const createDashboardKey = onCommand(
  identity.createDashboardKey,
  async (deps: Deps, request, { requestId, record }) => {
    const now = deps.now();
    const { accountId, sessionDigest, clientAddress, replaces } = request;
    const { ended, ...reply } = await deps.messaging.transaction(deps.db, async (tx, send) => {
      const transaction = { tx, send, now };
      await lockAccount(tx, accountId);
      const session = await findLiveSession(tx, deps.vault.keyedDigest(sessionDigest), now);
      if (session?.accountId !== accountId) throw serviceError('session_required');
      const existing = await findKeyOfSession(tx, { accountId, sessionId: session.id });
      if (existing && existing.id !== replaces) {
        const { id, prefix, sealedDigest } = existing;
        return { key: { id, prefix }, keyDigest: deps.vault.unseal(sealedDigest, id), ended: null };
      }
      const end = {
        revokeAt: now,
        atOnce: false,
        requestId,
        ...holderOf({ keyId: null, personId: session.personId, clientAddress }),
      };
      const replacedDigest =
        existing && (await endKey(transaction, deps.vault, { keyId: existing.id, ...end }));
      const created = await createForSession(
        deps,
        transaction,
        { ...request, sessionId: session.id, personId: session.personId },
        requestId,
      );
      return { ...created, ended: replacedDigest };
    });
    if (ended) await forgetPrincipals(deps, [ended]);
    record.add({ keyId: reply.key.id });
    return reply;
  },
);
