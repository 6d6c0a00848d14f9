import { checkNewBooks } from '@tds/audit/books';
import { newId } from '@tds/contracts';
import { withClient } from '@tds/servers';
import type { Pool } from './idle-service.ts';

const BATCH = 16;
type Operation = Readonly<Record<string, unknown>>;

const apply = async (pool: Pool, operations: readonly Operation[]): Promise<void> => {
  const { rows } = await pool.query<{ outcome: string }>({
    name: 'apply',
    text: 'SELECT outcome FROM apply_operations($1::jsonb)',
    values: [JSON.stringify(operations)],
  });
  const refused = rows.find(({ outcome }) => outcome !== 'reserved' && outcome !== 'settled');
  if (refused) throw new Error(`the ledger answered "${refused.outcome}"`);
};

const pairs = async (pool: Pool, accounts: readonly string[], size: number): Promise<void> => {
  const any = () => String(accounts[Math.floor(Math.random() * accounts.length)]);
  const held = Array.from({ length: size }, () => ({ ref: newId(), account_id: any() }));
  const facts = {
    ...{ unit: 1, parts: [1], coverage: 'all' },
    reason: 'transcript',
    request_id: 'bench',
    subject: { video_id: 'loadvideo01' },
  };
  await apply(
    pool,
    held.map((one) => ({ kind: 'reserve', ...one, key_id: one.account_id, daily_cap: 1_000_000, ...facts })),
  );
  await apply(
    pool,
    held.map(({ ref }) => ({ kind: 'settle', ref, parts: [1], request_id: 'bench' })),
  );
};

const checkNew = async (ownerUrl: string): Promise<void> => {
  const findings = await withClient(ownerUrl, (owner) => checkNewBooks(owner as never));
  if (findings.length > 0) throw new Error(`the books are off: ${JSON.stringify(findings[0])}`);
};

/** What the ledger does all the time, by its functions. */
export const ledgerWork = (pool: Pool, ownerUrl: string, accounts: readonly string[]) => ({
  'a pair, reserve and settle': () => pairs(pool, accounts, 1),
  [`${BATCH} pairs in two calls`]: () => pairs(pool, accounts, BATCH),
  'the check of new entries': () => checkNew(ownerUrl),
});
