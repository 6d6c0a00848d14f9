import { randomUUID } from 'node:crypto';
import type { ServiceError } from '@tds/contracts';
import { loadVideoId } from '@tds/platform-simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFetcher } from '../test-support/start-fetcher.ts';

const QUARTER_OF_THE_BUS = 256 * 1_024;
const ENDLESS = 'an endless title '.repeat(60_000);

let fetcher: Awaited<ReturnType<typeof startFetcher>>;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());

const change = (statement: string, values: readonly unknown[]) => fetcher.query(statement, values);
const sizeOf = (answer: unknown): number => Buffer.byteLength(JSON.stringify(answer));

describe('rows that a release before this one has saved without bounds', () => {
  it('are cut when they are read: a transcript, its poll and the facts are told all the same', async () => {
    const videoId = loadVideoId(1);
    const requestId = randomUUID();
    await fetcher.get({ videoId, requestId });
    const tracks = Array.from({ length: 3_000 }, () => ({
      language_code: 'en',
      kind: 'asr',
      name: ENDLESS.slice(0, 200),
    }));
    await change('UPDATE videos SET title = $2, channel_title = $2, caption_tracks = $3 WHERE id = $1', [
      ...[videoId, ENDLESS, JSON.stringify(tracks)],
    ]);
    await change('UPDATE transcripts SET video = NULL WHERE video_id = $1', [videoId]);
    const hit = await fetcher.get({ videoId, format: 'md' });
    expect(hit).toMatchObject({ state: 'delivered', cache: 'HIT', creditsCharged: 0 });
    const polled = await fetcher.poll(requestId);
    expect(polled).toMatchObject({ state: 'delivered', video: { title: ENDLESS.slice(0, 500) } });
    const facts = await fetcher.facts(videoId);
    expect(facts.caption_tracks).toHaveLength(300);
    for (const answer of [hit, polled, facts]) expect(sizeOf(answer)).toBeLessThan(QUARTER_OF_THE_BUS);
  });

  it('do not make a delivery too large to be told', async () => {
    const videoId = loadVideoId(2);
    await change('INSERT INTO videos (id, title, channel_title) VALUES ($1, $2, $2)', [videoId, ENDLESS]);
    const cold = await fetcher.get({ videoId });
    expect(cold).toMatchObject({ state: 'delivered', creditsCharged: 1 });
    expect(sizeOf(cold)).toBeLessThan(QUARTER_OF_THE_BUS);
  });

  it('do not make a refusal too large to be told, from the cache or by a poll', async () => {
    const videoId = loadVideoId(3);
    const strict = { videoId, language: 'tlh', fallback: false, requestId: randomUUID() };
    const refused = (work: Promise<unknown>): Promise<ServiceError> =>
      work.then(
        () => Promise.reject(new Error('delivered')),
        (error) => error,
      );
    await refused(fetcher.get(strict));
    const many = Array.from({ length: 90_000 }, (_, n) => `x${n}`);
    await change('UPDATE selections SET available = $2 WHERE video_id = $1', [videoId, many]);
    await change(
      `UPDATE operations SET error = jsonb_set(error, '{extras,available_languages}', $2::jsonb) WHERE video_id = $1`,
      [videoId, JSON.stringify(many)],
    );
    for (const ask of [
      () => fetcher.get({ ...strict, requestId: randomUUID() }),
      () => fetcher.poll(strict.requestId),
    ]) {
      const { data } = await refused(ask());
      expect(data.code).toBe('language_unavailable');
      expect(data.extras?.available_languages).toHaveLength(300);
    }
  });
});
