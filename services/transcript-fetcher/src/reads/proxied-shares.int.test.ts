import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { type ExitGateway, startExitGateway } from '@tds/simulators/platform/testing';
import { codeOf } from '@tds/test-kit';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

const SHARE = 10_000_000;
let fetcher: TestFetcher;
let gateway: ExitGateway;
beforeAll(async () => {
  gateway = await startExitGateway();
  fetcher = await startFetcher(
    {},
    { PLATFORM_PROXY_URLS: `http://${gateway.http}`, PLATFORM_PROXY_BYTES_PER_ACCOUNT: String(SHARE) },
  );
});
afterAll(async () => {
  await fetcher?.stop();
  await gateway?.close();
});

const spentBy = async (scope: string): Promise<number> => {
  const [row] = await fetcher.query<{ bytes: string }>('SELECT bytes FROM proxy_spending WHERE scope = $1', [
    scope,
  ]);
  return Number(row?.bytes ?? 0);
};

it('an account that used up its share of proxy bytes waits until midnight UTC, pays nothing, and delays no other account', async () => {
  const [greedy, bystander] = [randomUUID(), randomUUID()];
  const videoId = loadVideoId(90);
  await fetcher.get({ videoId, accountId: greedy });
  const spent = await spentBy(`caller:${greedy}`);
  expect(spent).toBeGreaterThan(0);
  expect(await spentBy('all')).toBe(spent);
  await fetcher.query(`UPDATE proxy_spending SET bytes = $1 WHERE scope <> 'all'`, [SHARE]);
  const requestId = randomUUID();
  const asked = { videoId: loadVideoId(91), accountId: greedy, requestId };
  expect(await codeOf(fetcher.get(asked))).toBe('budget_exhausted');
  expect(fetcher.ledger.stateOf(requestId)).not.toBe('charged');
  expect(await fetcher.get({ videoId, accountId: greedy })).toMatchObject({ cache: 'HIT' });
  expect(await fetcher.get({ ...asked, accountId: bystander, requestId: randomUUID() })).toMatchObject({
    state: 'delivered',
  });
  expect(await spentBy(`caller:${bystander}`)).toBeGreaterThan(0);
  await fetcher.query('UPDATE proxy_spending SET day = day - 1');
  const nextDay = { videoId: loadVideoId(92), accountId: greedy, requestId: randomUUID() };
  expect(await fetcher.get(nextDay)).toMatchObject({ state: 'delivered', cache: 'MISS' });
});
