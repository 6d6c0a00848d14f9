import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { toRows } from '../test-support/batches.ts';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());

const DAY = '2019-03-04';
const [listed, unknown, known] = [loadVideoId(70_001), loadVideoId(70_002), loadVideoId(70_003)];

it('a row of a job with a known date asks the platform twice, and one without it three times', async () => {
  const rows = toRows([listed, unknown]).map((row) => ({
    ...row,
    publishedAt: row.videoId === listed ? DAY : null,
  }));
  const batchId = randomUUID();
  await fetcher.batches.submitBatch({ batchId, rows });
  const changes = await fetcher.batches.waitForEnds(batchId, rows);
  expect(changes.map((row) => row.state === 'delivered' && row.delivery.published_at)).toEqual([
    DAY,
    expect.stringMatching(/^\d{4}-/),
  ]);
  expect(fetcher.simulator.requests().byVideo).toMatchObject({
    [listed]: { player: 1, timedtext: 1 },
    [unknown]: { player: 2, timedtext: 1 },
  });
});

it('a date changes nothing else that is known of a video', async () => {
  const fact = { code: 'video_private' };
  await fetcher.query(
    `INSERT INTO videos (id, title, published_at, status, error_class, fact, fact_expires_at)
     VALUES ($1, 'A title', '2001-02-03', 'unavailable', 'VideoPrivate', $2, now() - interval '1 day')`,
    [known, fact],
  );
  const release = fetcher.simulator.hold();
  await fetcher.batches.submitBatch({ rows: toRows([known]).map((row) => ({ ...row, publishedAt: DAY })) });
  expect(
    await fetcher.query('SELECT title, published_at, status, fact FROM videos WHERE id = $1', [known]),
  ).toEqual([{ title: 'A title', published_at: '2001-02-03', status: 'unavailable', fact }]);
  release();
});
