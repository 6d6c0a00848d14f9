import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { startStatus, type TestStatus } from './test-support/start-status.ts';

let status: TestStatus;
beforeAll(async () => {
  status = await startStatus();
});
afterAll(() => status?.stop());

const overdue = async (): Promise<number | undefined> =>
  (await status.harness.scrape('status'))('tds_backlog_oldest_seconds', { what: 'observations' });
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

it('a metric shows how long no fetcher has reported, from the second minute on', async () => {
  // A scrape that takes too long on a busy machine shows nothing: the next one does.
  await eventually(async () => expect(await overdue()).toBe(0));
  await status.observe({ at: minutesAgo(10) });
  await status.settled();
  await eventually(async () => expect(await overdue()).toBeGreaterThanOrEqual(540));
  await status.observe({ at: minutesAgo(0) });
  await status.settled();
  await eventually(async () => expect(await overdue()).toBe(0));
});
