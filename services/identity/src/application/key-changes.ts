import { type ChangedBy, identity } from '@tds/contracts';
import type { CoreDeps, Transaction } from '../deps.ts';
import { keyStateOf } from '../domain/to-principal.ts';
import { type ChangingKey, findChangingKey } from '../store/api-keys.ts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-entries.ts';
import type { Db } from '../store/database.ts';

type KeyChange = Pick<AuditEntry, 'at' | 'action' | 'accountId' | 'requestId' | 'detail'> & {
  readonly keyId: string;
  readonly by: ChangedBy;
};

/** Who a holder's change is attributed to. */
export const holderOf = ({ keyId, clientAddress }: ChangedBy) =>
  ({ actor: 'holder', actingKeyId: keyId, clientAddress }) as const;

/** Records a change that its holder made to a key. */
export const auditKeyChange = (tx: Db, { by, ...change }: KeyChange): Promise<void> =>
  insertAuditEntries(tx, [{ ...change, ...holderOf(by) }]);

/** Emits the state of a key that goes on working, as this transaction leaves it. Resolves to its digest. */
export const emitKeyChanged = async (
  { send }: Pick<Transaction, 'send'>,
  vault: CoreDeps['vault'],
  { id: keyId, sealedDigest, ...key }: ChangingKey,
): Promise<string> => {
  const { accountId, keyVersion, dailyCreditCap } = key;
  const keyDigest = vault.unseal(sealedDigest, keyId);
  const reason = key.overLimit ? ({ overLimit: true } as const) : {};
  const facts = { keyVersion, keyState: keyStateOf(key), dailyCreditCap, ...reason };
  await send.emit(identity.keyChanged, { accountId, keyId, keyDigest, ...facts });
  return keyDigest;
};

/** The same for a key of which only the id is at hand. */
export const emitKeyChangedOf = async (
  { tx, send }: Pick<Transaction, 'tx' | 'send'>,
  vault: CoreDeps['vault'],
  keyId: string,
): Promise<string> => emitKeyChanged({ send }, vault, await findChangingKey(tx, keyId));
