import { describe, expect, it } from '@jest/globals';
import { newTranscript, newTranscriptFor } from '../../test-support/builders.ts';
import { setUpReads } from '../../test-support/reads.ts';

const reads = setUpReads();
const { get, freshVideo } = reads;

const OLD = 'what was heard';
const NEW = 'what was written';
const askedFor = () => reads.harness.fetcher.asked.map(({ request }) => request as { refresh?: string });

/** A cached transcript, in memory as well, and a fetcher that has another one by now. */
const cachedVideo = async () => {
  const video = { ...newTranscript('').video, id: freshVideo() };
  const path = `/v1/transcript?video_id=${video.id}`;
  for (const format of ['both', 'srt'] as const) {
    await reads.harness.cache(newTranscript(OLD, { format, video }), OLD);
    expect((await get(`${path}&format=${format}`)).body.text).toBe(OLD);
  }
  reads.harness.storeFile(newTranscript(NEW), NEW);
  reads.harness.fetcher.commands.getTranscript = async (asked) => ({
    ...newTranscriptFor(asked, NEW),
    ...(asked.refresh ? { cache: 'MISS', creditsCharged: 1 } : {}),
  });
  return path;
};

describe('GET /v1/transcript?refresh=true', () => {
  it('asks the fetcher although the transcript is cached and in memory, and is what is read after that', async () => {
    const path = await cachedVideo();
    const answer = await get(`${path}&refresh=true`);
    expect([answer.body.text, answer.headers['x-cache'], answer.headers['x-credits-charged']]).toEqual([
      NEW,
      'MISS',
      '1',
    ]);
    expect(askedFor()).toMatchObject([{ cacheOnly: false, refresh: expect.any(String) }]);
    expect((await get(path)).body.text).toBe(NEW);
  });

  it('has the name of its Idempotency-Key, and without one a name of its own', async () => {
    const path = await cachedVideo();
    const key = { 'Idempotency-Key': 'one' };
    for (const [asked, headers] of [
      [path, key],
      [path, key],
      [path, { 'Idempotency-Key': 'two' }],
      [path, {}],
      [path, {}],
    ] as const)
      await get(`${asked}&refresh=1`).set(headers);
    const names = askedFor().map(({ refresh }) => refresh);
    expect(names.slice(0, 2)).toEqual(['one', 'one']);
    expect(new Set(names).size).toBe(names.length - 1);
  });

  it('with HEAD starts nothing, and what is cached does not answer it', async () => {
    const path = await cachedVideo();
    expect((await reads.head(`${path}&refresh=true`)).status).toBe(404);
    expect(askedFor()).toEqual([]);
  });

  it('of a poll is refused', async () => {
    const answer = await get(`/v1/transcript?request_id=${reads.harness.newId()}&refresh=true`);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_refresh']);
  });
});
