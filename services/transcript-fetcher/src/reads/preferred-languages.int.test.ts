import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceError } from '@tds/errors';
import { loadVideoId } from '@tds/simulators/platform';
import { startFetcher } from '../test-support/start-fetcher.ts';

let fetcher: Awaited<ReturnType<typeof startFetcher>>;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());
afterEach(() => fetcher.simulator.resetRequests());

const dataErrorOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ data }: ServiceError) => data,
  );
const asked = () => fetcher.simulator.requests().total;
const inLanguage = (requested: string, delivered: string, more: object = {}) => ({
  state: 'delivered',
  language: { requested, delivered, fallback: false, translation: 'not_requested', ...more },
});

describe('a list of languages', () => {
  it('is delivered in the first that has a track, for one credit, and then from the cache', async () => {
    const wanted = { videoId: loadVideoId(1), language: 'de,en', fallback: false };
    expect(await fetcher.get(wanted)).toMatchObject({ ...inLanguage('de,en', 'en'), creditsCharged: 1 });
    fetcher.simulator.resetRequests();
    expect(await fetcher.get(wanted)).toMatchObject({
      ...inLanguage('de,en', 'en'),
      ...{ cache: 'HIT', creditsCharged: 0 },
    });
    expect(asked()).toBe(0);
  });

  it('that begins with a cached language needs no fetch and adds no row, whatever follows', async () => {
    const videoId = loadVideoId(2);
    await fetcher.get({ videoId });
    fetcher.simulator.resetRequests();
    for (const language of ['en,de', 'en,fr,de', 'en,de,fr,orig']) {
      const hit = { ...inLanguage(language, 'en'), cache: 'HIT', creditsCharged: 0 };
      expect(await fetcher.get({ videoId, language })).toMatchObject(hit);
    }
    expect(asked()).toBe(0);
    const rows = await fetcher.query('SELECT language FROM selections WHERE video_id = $1', [videoId]);
    expect(rows).toEqual([{ language: 'en' }]);
  });

  it('costs one credit together with its languages, even at the same time', async () => {
    const [videoId, accountId] = [loadVideoId(3), randomUUID()];
    const answers = await fetcher.whileUnderWay(videoId, 3, () =>
      Promise.all(['en', 'de,en', 'ja,de,en'].map((language) => fetcher.get({ videoId, language, accountId }))),
    );
    const charges = answers.map((answer) =>
      answer.state === 'delivered' ? answer.creditsCharged : Number.NaN,
    );
    expect(charges.reduce((sum, charge) => sum + charge, 0)).toBe(1);
  });

  it('without any track is translated to its first language, as that alone would be', async () => {
    expect(await fetcher.get({ videoId: 'manualEn001', language: 'es,de' })).toMatchObject(
      inLanguage('es,de', 'es', { translation: 'served' }),
    );
    expect(await fetcher.get({ videoId: 'noTransl_01', language: 'es,de' })).toMatchObject(
      inLanguage('es,de', 'en', { fallback: true, translation: 'unavailable' }),
    );
    const strict = { videoId: 'noTransl_01', language: 'fr,de', fallback: false };
    for (let time = 0; time < 2; time += 1) {
      expect(await dataErrorOf(fetcher.get(strict))).toMatchObject({
        code: 'language_unavailable',
        extras: { available_languages: ['en'] },
      });
    }
  });
});

describe('the original language', () => {
  it.each([
    ['hebrewIw001', 'iw', 'manual'],
    ['dubbedAsr01', 'en', 'asr'],
    ['asrOnlyEn01', 'en', 'asr'],
  ])('of %s is %s', async (videoId, delivered, kind) => {
    expect(await fetcher.get({ videoId, language: 'orig', fallback: false })).toMatchObject(
      inLanguage('orig', delivered, { kind }),
    );
    fetcher.simulator.resetRequests();
    expect(await fetcher.get({ videoId, language: 'orig' })).toMatchObject({ cache: 'HIT' });
    expect(asked()).toBe(0);
  });

  it('is one wish with its own name: what one has brought, the other gets without a fetch', async () => {
    for (const [videoId, code] of [
      ['hebrewIw001', 'he'],
      ['dubbedAsr01', 'en'],
      ['asrOnlyEn01', 'en'],
    ] as const) {
      await fetcher.query('DELETE FROM selections WHERE video_id = $1', [videoId]);
      await fetcher.get({ videoId, language: code });
      fetcher.simulator.resetRequests();
      const again = { ...{ videoId, language: 'orig' }, fallback: false };
      expect(await fetcher.get(again)).toMatchObject({ cache: 'HIT', creditsCharged: 0 });
      expect(await fetcher.get({ ...again, language: 'orig,fr' })).toMatchObject({ cache: 'HIT' });
      expect(asked()).toBe(0);
    }
    const [videoId] = [loadVideoId(4)];
    await fetcher.get({ videoId, language: 'orig' });
    fetcher.simulator.resetRequests();
    expect(await fetcher.get({ videoId })).toMatchObject({ ...inLanguage('en', 'en'), cache: 'HIT' });
    expect(asked()).toBe(0);
  });

  it('in recognised speech stands for a name only as long as no written captions are known', async () => {
    const videoId = 'asrOnlyEn01';
    await fetcher.get({ videoId, language: 'orig' });
    await fetcher.query("DELETE FROM selections WHERE video_id = $1 AND language = 'en'", [videoId]);
    const known = () =>
      fetcher.get({ videoId, cacheOnly: true }).then(
        ({ state }) => state,
        () => 'cold',
      );
    expect(await known()).toBe('delivered');
    const set = (values: string) => fetcher.query(`UPDATE videos SET ${values} WHERE id = $1`, [videoId]);
    await set("tracks_at = now() - interval '25 hours', published_at = current_date::text");
    expect(await known()).toBe('cold');
    await set("published_at = '2020-01-01'");
    expect(await known()).toBe('delivered');
    await set(`caption_tracks = caption_tracks || '[{"language_code":"en","kind":"manual","name":"x"}]'`);
    expect(await known()).toBe('cold');
  });

  it('is labelled a fallback if the platform does not say it, and refused in strict mode', async () => {
    const wanted = { videoId: 'manualEn001', language: 'orig' };
    expect(await fetcher.get(wanted)).toMatchObject(
      inLanguage('orig', 'en', { fallback: true, translation: 'unavailable' }),
    );
    expect(await dataErrorOf(fetcher.get({ ...wanted, fallback: false }))).toMatchObject({
      code: 'language_unavailable',
    });
  });
});
