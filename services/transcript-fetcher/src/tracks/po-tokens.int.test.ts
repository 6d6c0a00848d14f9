import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type PlatformSimulator, startPlatformSimulator } from '@tds/simulators/platform';
import { defaultStrategies } from '@tds/video-platform';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

/** Its tokens are those that the platform accepts. */
let provider: PlatformSimulator;
let fetcher: TestFetcher;
const folder = mkdtempSync(path.join(tmpdir(), 'strategies-'));
const file = path.join(folder, 'strategies.json');

beforeAll(async () => {
  provider = await startPlatformSimulator();
  writeFileSync(file, JSON.stringify(defaultStrategies.slice(0, 1)));
  fetcher = await startFetcher({}, { PO_TOKEN_PROVIDER_URL: provider.origin, PLATFORM_STRATEGIES_FILE: file });
});
afterAll(async () => {
  await fetcher?.stop();
  await provider?.close();
  rmSync(folder, { recursive: true });
});

const calls = async (outcome: string) => (await fetcher.scrape())('tds_po_token_calls_total', { outcome });

it('a video behind a token is delivered as the client of the file, and metrics count the token', async () => {
  expect(await fetcher.get({ videoId: 'tokenXpe_01' })).toMatchObject({ state: 'delivered' });
  expect(await calls('given')).toBe(1);
  expect(Object.keys(fetcher.simulator.requests().byClient)).toEqual(['ANDROID']);
  expect((await fetcher.scrape())('tds_strategies_refused', {})).toBe(0);
});

it('a provider that is down is a failure of that video alone, and is left alone', async () => {
  provider.faults.add({ match: { endpoint: 'get_pot' }, fault: 'server_error' });
  await expect(fetcher.get({ videoId: 'tokenAXpe01' })).rejects.toMatchObject({ code: 'upstream_error' });
  provider.faults.clear();
  expect(await calls('failed')).toBeGreaterThan(0);
  expect(await fetcher.get({ videoId: 'manualEn001' })).toMatchObject({ state: 'delivered' });
});

it('no table, and so no event, has a token', async () => {
  const tables = await fetcher.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
       AND has_table_privilege(format('%I.%I', schemaname, tablename), 'SELECT')`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) => fetcher.query<{ row: string }>(`SELECT one::text AS row FROM ${name} AS one`)),
  );
  const all = texts.flat().map(({ row }) => row);
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter((row) => /\bMn\d+\.[0-9a-z]{10}/.test(row))).toEqual([]);
});
