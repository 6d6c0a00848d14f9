import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { withClient, workspaceRoot } from '@tds/servers';
import { createTestDatabase, type TestDatabase } from '@tds/servers/testing';
import { prepare } from './test-support/prepare.ts';
import { findRetentions, readPromises } from './test-support/retentions.ts';
import { findStatements, readSources, type Sources, type Statement } from './test-support/statements.ts';

let sources: Sources;
let statements: readonly Statement[];
const databases = new Map<string, TestDatabase>();
/** Tables of the packages are in each service's database, but for those of objects. */
const databaseOf = ({ where }: Statement): string => {
  const [kind, name = ''] = where.split('/');
  if (kind === 'packages') return name === 'objects' ? name : 'identity';
  return existsSync(path.join(workspaceRoot, 'services', name, 'prisma/migrations')) ? name : 'identity';
};

beforeAll(async () => {
  sources = readSources();
  statements = findStatements(sources);
  for (const name of new Set(statements.map(databaseOf))) databases.set(name, await createTestDatabase(name));
});
afterAll(async () => {
  for (const database of databases.values()) await database.drop();
});

/** With statements that a call puts together, of tables, columns or conditions that are given to it. */
const putTogether = [
  'packages/base/src/db/purge.ts',
  'packages/queue/src/define-queue.ts',
  'packages/queue/src/leases.ts',
  'packages/queue/src/poll.ts',
  'services/identity/src/mails/store/digests.ts',
  'services/identity/src/sign-in/store/sign-in-addresses.ts',
  'services/monitor-scheduler/src/store/accounts.ts',
  'services/monitor-scheduler/src/store/feeds.ts',
  'services/monitor-scheduler/src/store/monitor-turns.ts',
  'services/transcript-fetcher/src/health/store/metrics.ts',
  'services/transcript-fetcher/src/library/store/limited-time.ts',
  'services/webhook-dispatcher/src/store/webhooks.ts',
];

it('each raw statement is valid SQL on the migrated database, and answers the columns that its type says', async () => {
  const wrong: string[] = [];
  for (const [name, { url }] of databases)
    await withClient(url, async (client) => {
      for (const statement of statements.filter((one) => databaseOf(one) === name))
        if (statement.text !== null) wrong.push(...(await prepare(client, statement)));
    });
  expect(wrong).toEqual([]);
});

/** What a model call of Prisma cannot say in one statement; docs/records/06-ledger.md. */
const REASONS: Readonly<Record<string, RegExp>> = {
  'a function of the database':
    /\b(?:FROM|SELECT|,)\s+\w+\(|\b(?:messaging\.\w+|split_part|replace)\(|pg_|\bNOTIFY\b/,
  'a lock, or a setting':
    /\bFOR (?:NO KEY )?UPDATE\b|\bFOR SHARE\b|\bSKIP LOCKED\b|\bSET (?:LOCAL|TRANSACTION)\b|set_config/,
  'the clock of the database': /\bnow\(\)|\bclock_timestamp\(\)/,
  'a conditional upsert': /\bON CONFLICT\b/,
  'a set or a batch': /\bunnest\(|jsonb_\w+\(|\bOFFSET\b|\bctid\b/,
  'several steps': /\bWITH\b|\bEXISTS\b|\bIN \(\s*SELECT\b|\(SELECT\b/,
  'a join': /\bJOIN\b|\bLATERAL\b|\bUSING\b/,
  'a sum over rows': /\b(?:count|sum|max|min|array_agg)\(|\bGROUP BY\b|\bDISTINCT\b/,
  'a value of columns': /\b(?:greatest|least|coalesce|CASE)\b|\|\||\bSET \w+ = \w+ [+-]|\w+ [+-] \w+/,
  'a place in an order of columns': /\((?:\w+, )+\w+\) >/,
  'the rows of a DELETE': /\bDELETE\b[^;]*\bRETURNING\b/,
};

it('each raw statement of a service says what a model call cannot say, or is on a path with a benchmark', () => {
  const without = statements
    .filter(({ where }) => where.startsWith('services/'))
    .filter(({ text }) => text !== null && !Object.values(REASONS).some((reason) => reason.test(text)))
    .map(({ where }) => where.replace(/:\d+$/, ''));
  expect(without).toEqual([
    // Beside each delivery: benchmark `library`.
    'services/transcript-fetcher/src/library/store/word-matches.ts',
    // Literals, without which Postgres does not use an index with a condition.
    'services/search/src/store/search-sweeps.ts',
    'services/billing/src/store/checkouts.ts',
    // The view `moved_money`, which is no model.
    'services/billing/src/store/money.ts',
    // Literals, as above.
    'services/billing/src/store/refills.ts',
  ]);
});

it('few statements are put together by a call', () => {
  const files = statements.filter(({ text }) => text === null).map(({ where }) => where.replace(/:\d+$/, ''));
  expect([...new Set(files)].sort()).toEqual(putTogether);
});

it('rows are kept as long as the table of their database promises', () => {
  const promised = readPromises();
  const kept = findRetentions(sources);
  expect(kept.length).toBeGreaterThan(25);
  expect(kept).toEqual(kept.map(({ table, where }) => ({ table, where, days: promised.get(table) })));
});
