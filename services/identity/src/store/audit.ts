import { auditEntry, type identity, type ReplyOf } from '@tds/contracts';
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
  const entries = rows.map(({ id, at, action, actor, personId, actingKeyId, keyId, clientAddress, detail }) =>
    auditEntry.parse({
      ...{
        id: `${id}`,
        at: at.toISOString(),
        action,
        actor,
        detail,
        acting_key_id: actingKeyId,
        key_id: keyId,
      },
      person_id: actor === 'holder' ? (personId ?? accountId) : null,
      client_address: clientAddress,
    }),
  );
  return { entries, total };
};
