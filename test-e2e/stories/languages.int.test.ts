import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Customer,
  creditsBalance,
  creditsCharged,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
let customer: Customer;
beforeAll(async () => {
  system = await shareTestSystem();
  customer = await signUp(system);
});
afterAll(() => system?.stop());

const read = (query: string) => customer.get(`/v1/transcript?${query}`);

describe('the language contract', () => {
  it('native requested track', async () => {
    const answer = await read('video_id=manyLangs01&language=en');
    expect(answer.json().language).toMatchObject({
      requested: 'en',
      delivered: 'en',
      fallback: false,
      translation: 'not_requested',
    });
  });

  it('translation served', async () => {
    const answer = await read('video_id=manualEn001&language=es');
    expect(answer.json().language).toMatchObject({
      requested: 'es',
      delivered: 'es',
      fallback: false,
      translation: 'served',
    });
    expect(creditsCharged(answer)).toBe(1);
  });

  it('translation refused, fallback allowed: the source language, labelled, for one credit', async () => {
    const answer = await read('video_id=tlang429_01&language=es');
    expect(answer.json().language).toMatchObject({
      requested: 'es',
      delivered: 'en',
      fallback: true,
      translation: 'refused',
    });
    expect(creditsCharged(answer)).toBe(1);
    const again = await read('video_id=tlang429_01&language=es');
    expect([again.headers.get('x-cache'), creditsCharged(again)]).toEqual(['HIT', 0]);
  });

  it('translation refused, strict: retryable translation_refused for nothing', async () => {
    const before = creditsBalance(await customer.get('/v1/video?video_id=manualEn001'));
    const answer = await read('video_id=tlang429_01&language=fr&fallback=false');
    expect(answer.status).toBe(502);
    expect(answer.json()).toMatchObject({
      errorClass: 'RateLimited',
      code: 'translation_refused',
      retryable: true,
    });
    expect([creditsCharged(answer), creditsBalance(answer)]).toEqual([0, before]);
  });

  it('no translation exists, fallback allowed: the source language, labelled unavailable', async () => {
    const answer = await read('video_id=noTransl_01&language=es');
    expect(answer.json().language).toMatchObject({
      delivered: 'en',
      fallback: true,
      translation: 'unavailable',
    });
  });

  it('no translation exists, strict: language_unavailable with the languages that there are, for nothing', async () => {
    const answer = await read('video_id=noTransl_01&language=fr&fallback=false');
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({
      errorClass: 'NoCaptions',
      code: 'language_unavailable',
      available_languages: ['en'],
    });
    expect(creditsCharged(answer)).toBe(0);
  });

  it.each([
    ['he', 'hebrewIw001', 'iw'],
    ['nb', 'norwegian01', 'no'],
  ])(
    'asked for %s it finds the track that the platform calls otherwise',
    async (language, video, delivered) => {
      const answer = await read(`video_id=${video}&language=${language}`);
      expect(answer.json().language).toMatchObject({ delivered, fallback: false });
    },
  );
});
