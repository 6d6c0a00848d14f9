import type { identity, ReplyOf } from '@tds/contracts';
import type { Db } from './database.ts';

/** What happened in the account, newest first. */
export const findAuditEntries = async (
  db: Db,
  accountId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ReplyOf<typeof identity.listAudit>> => {
  const [rows, total] = await Promise.all([
    db.auditEntry.findMany({
      where: { accountId },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      skip: offset,
      take: limit,
    }),
    db.auditEntry.count({ where: { accountId } }),
  ]);
  const entries = rows.map(({ id, at, action, actor, detail, ...row }) => ({
    ...{ id: `${id}`, at: at.toISOString(), action, actor, detail },
    person_id: actor === 'holder' ? (row.personId ?? accountId) : null,
    acting_key_id: row.actingKeyId,
    key_id: row.keyId,
    client_address: row.clientAddress,
  }));
  return { entries, total };
};
