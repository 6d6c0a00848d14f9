import type { Subject } from '@tds/contracts';
import type { Sql } from '@tds/service-kit';

/** An ended operation, of which nobody is working on its credit. */
export type ResolvedOperation = {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly charge: number;
  readonly settlement: 'settled' | 'released';
  readonly subject: Subject;
};
type Row = {
  id: string;
  account_id: string;
  key_id: string;
  charge: number;
  settlement: 'settled' | 'released';
  video_id: string;
  language: string;
};

const RESOLVED = {
  name: 'resolved-operations',
  text: `
    SELECT id, account_id, key_id, charge, settlement, video_id, language FROM operations
    WHERE settlement IN ('settled', 'released') AND id > $1 ORDER BY id LIMIT $2`,
};

const toResolved = (row: Row): ResolvedOperation => ({
  ...{ id: row.id, accountId: row.account_id, keyId: row.key_id },
  ...{ charge: row.charge, settlement: row.settlement },
  subject: { video_id: row.video_id, language: row.language },
});

/** By id, after the given one. */
export const resolvedOperations = async (
  sql: Sql,
  after: string,
  limit: number,
): Promise<ResolvedOperation[]> => (await sql<Row>(RESOLVED, [after, limit])).map(toResolved);

const KNOWN = { name: 'known-operations', text: 'SELECT id FROM operations WHERE id = ANY ($1::uuid[])' };

/** Those among the ids that are operations, whatever became of them. */
export const knownOperations = async (sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await sql<{ id: string }>(KNOWN, [ids])).map(({ id }) => id));

const GIVE_UP = {
  name: 'give-up-charge',
  text: `
    UPDATE operations SET settlement = 'uncollected' WHERE id = $1 AND settlement = 'settled' AND charge > 0 RETURNING id`,
};

/** Whether it was news: what is not settled any more is somebody else's. */
export const giveUpCharge = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql(GIVE_UP, [id])).length === 1;
