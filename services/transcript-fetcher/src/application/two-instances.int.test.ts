import { randomUUID } from 'node:crypto';
import type { TranscriptAnswer } from '@tds/contracts';
import { loadVideoId } from '@tds/platform-simulator';
import { eventually } from '@tds/test-kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
  await fetcher.addInstance();
  // The first call of a process takes its time on a busy machine, and a ledger that is late is an error of its own.
  for (const n of [1, 2, 3, 4]) await eventually(() => fetcher.get({ videoId: loadVideoId(n) }));
});
afterAll(() => fetcher?.stop());
beforeEach(() => fetcher.simulator.resetRequests());
afterEach(() => fetcher.simulator.setLatency(0));

let videos = 5_000;
const freshVideo = () => loadVideoId(++videos);
const chargeOf = (answer: TranscriptAnswer): number =>
  answer.state === 'delivered' ? answer.creditsCharged : Number.NaN;
const sum = (numbers: readonly number[]) => numbers.reduce((total, next) => total + next, 0);

describe('two instances that are asked for the same track at once', () => {
  it('fetch it once, and charge each account once, whoever answers', async () => {
    const videoId = freshVideo();
    const accounts = Array.from({ length: 5 }, () => randomUUID());
    const byAccount = await fetcher.whileUnderWay(videoId, accounts.length, () =>
      Promise.all(
        accounts.map((accountId) =>
          Promise.all(Array.from({ length: 4 }, () => fetcher.get({ videoId, accountId }))),
        ),
      ),
    );
    for (const answers of byAccount) expect(sum(answers.map(chargeOf))).toBe(1);
    expect(fetcher.simulator.requests().byEndpoint.timedtext).toBe(1);
    const hashes = byAccount.flat().map((answer) => answer.state === 'delivered' && answer.sha256);
    expect(new Set(hashes).size).toBe(1);
  });

  it('report a charge to one of many polls that ask them at the same moment', async () => {
    fetcher.simulator.setLatency(400);
    const videoId = freshVideo();
    const requestId = randomUUID();
    await fetcher.get({ videoId, requestId, waitMs: 0 });
    const polls = await Promise.all(
      Array.from({ length: 12 }, () => fetcher.poll(requestId, { by: randomUUID() })),
    );
    expect(polls.map(chargeOf).toSorted()).toEqual([...Array<number>(11).fill(0), 1]);
  });
});

describe('another format that is asked for while the work runs', () => {
  it('is rendered from the same fetch, for the same credit', async () => {
    fetcher.simulator.setLatency(400);
    const videoId = freshVideo();
    const formats = ['json', 'srt', 'md', 'vtt'] as const;
    const answers = await Promise.all(formats.map((format) => fetcher.get({ videoId, format })));
    expect(answers.map((answer) => answer.state === 'delivered' && answer.format)).toEqual(formats);
    expect(sum(answers.map(chargeOf))).toBe(1);
    expect(fetcher.simulator.requests().byEndpoint.timedtext).toBe(1);
    const files = await fetcher.query<{ format: string }>(
      `SELECT format FROM rendered_files JOIN transcripts t ON t.id = transcript_id WHERE t.video_id = $1`,
      [videoId],
    );
    expect(files.map(({ format }) => format).toSorted()).toEqual([...formats].toSorted());
  });

  it('is what a poll gets that asks for it, whatever the request was begun with', async () => {
    fetcher.simulator.setLatency(300);
    const videoId = freshVideo();
    const requestId = randomUUID();
    await fetcher.get({ videoId, requestId, format: 'srt', waitMs: 0 });
    expect(await fetcher.poll(requestId, { format: 'timestamped' })).toMatchObject({
      state: 'delivered',
      format: 'timestamped',
      creditsCharged: 1,
    });
    expect(await fetcher.poll(requestId)).toMatchObject({ format: 'srt', creditsCharged: 0 });
  });
});
