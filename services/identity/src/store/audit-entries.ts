import type { Db } from './database.ts';

/** One change: who, what, when, for whom. Never secrets. */
export type AuditEntry = {
  readonly at: Date;
  readonly action:
    | 'account-created'
    | 'signed-in'
    | 'sessions-ended'
    | 'key-created'
    | 'key-updated'
    | 'key-rotated'
    | 'key-revoked'
    | 'account-status-changed'
    | 'account-tier-changed';
  /** `restore`: done again after the database had lost it. */
  readonly actor: 'holder' | 'operator' | 'restore' | 'billing';
  readonly accountId: string;
  readonly keyId?: string;
  /** The key that its holder did it with; null or absent for a session. */
  readonly actingKeyId?: string | null;
  readonly requestId: string;
  readonly clientAddress?: string;
  readonly detail?: string;
};

/** Written in the transaction of the change itself, so that neither is there without the other. */
export const insertAuditEntries = async (db: Db, entries: readonly AuditEntry[]): Promise<void> => {
  await db.auditEntry.createMany({ data: [...entries] });
};
