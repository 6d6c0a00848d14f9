import { checkNewBooks } from '@tds/audit/books';
import { newId } from '@tds/contracts';
import { withClient } from '@tds/servers';
import type { Pool } from './idle-service.ts';

const RESERVE = { name: 'reserve', text: 'SELECT outcome FROM reserve_items($1::jsonb, NULL)' };
const SETTLE = {
  name: 'settle',
  text: `SELECT outcome FROM resolve_items(p_kind => 'settle', p_ref => $1, p_items => '{1}', p_request_id => 'bench', p_wait_ms => NULL)`,
};

const apply = async (
  pool: Pool,
  statement: typeof RESERVE,
  value: string,
  expectedOutcome: string,
): Promise<void> => {
  const { rows } = await pool.query<{ outcome: string }>({ ...statement, values: [value] });
  if (rows[0]?.outcome !== expectedOutcome) throw new Error(`the ledger answered "${rows[0]?.outcome}"`);
};

const pair = async (pool: Pool, accounts: readonly string[]): Promise<void> => {
  const [ref, account_id] = [newId(), accounts[Math.floor(Math.random() * accounts.length)]];
  const request = {
    ...{ ref, account_id, key_id: account_id, daily_cap: 1_000_000 },
    ...{ unit: 1, items: [1], coverage: 'all' },
    reason: 'transcript',
    request_id: 'bench',
    subject: { video_id: 'loadvideo01' },
  };
  await apply(pool, RESERVE, JSON.stringify(request), 'reserved');
  await apply(pool, SETTLE, ref, 'settled');
};

const checkNew = async (ownerUrl: string): Promise<void> => {
  const findings = await withClient(ownerUrl, (owner) => checkNewBooks(owner as never));
  if (findings.length > 0) throw new Error(`the books are off: ${JSON.stringify(findings[0])}`);
};

/** What the ledger does all the time, by its functions. */
export const ledgerWork = (pool: Pool, ownerUrl: string, accounts: readonly string[]) => ({
  'a pair, reserve and settle': () => pair(pool, accounts),
  'the check of new entries': () => checkNew(ownerUrl),
});
