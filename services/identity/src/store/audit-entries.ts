import type { Db } from './prisma-client.ts';

/** One change: who, what, when, for whom. Never secrets. */
export type AuditEntry = {
  readonly at: Date;
  readonly action: 'account-created' | 'signed-in' | 'key-created' | 'key-revoked' | 'account-status-changed';
  readonly actor: 'holder' | 'operator';
  readonly accountId: string;
  readonly keyId?: string;
  readonly requestId: string;
  readonly clientAddress?: string;
  readonly detail?: string;
};

/** Written in the transaction of the change itself, so that neither is there without the other. */
export const insertAuditEntries = async (db: Db, entries: readonly AuditEntry[]): Promise<void> => {
  await db.auditEntry.createMany({ data: [...entries] });
};
