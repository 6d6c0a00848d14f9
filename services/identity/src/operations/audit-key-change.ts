import type { ChangedBy } from '@tds/contracts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-entries.ts';
import type { Db } from '../store/prisma-client.ts';

type KeyChange = Pick<AuditEntry, 'at' | 'action' | 'accountId' | 'requestId' | 'detail'> & {
  readonly keyId: string;
  readonly by: ChangedBy;
};

/** Who a holder's change is put down to. */
export const holderOf = ({ keyId, clientAddress }: ChangedBy) =>
  ({ actor: 'holder', actingKeyId: keyId, clientAddress }) as const;

/** The record of a change that its holder made to a key. */
export const auditKeyChange = (tx: Db, { by, ...change }: KeyChange): Promise<void> =>
  insertAuditEntries(tx, [{ ...change, ...holderOf(by) }]);
