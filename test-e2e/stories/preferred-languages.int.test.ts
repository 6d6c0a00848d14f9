import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  creditsBalance,
  creditsCharged,
  fileVideo,
  postJson,
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

describe('languages as people ask', () => {
  it('a list is delivered in the first language with a track, for one credit, and is cached in each spelling', async () => {
    const video = `video_id=${fileVideo(1)}&format=json`;
    const cold = await read(`${video}&language=de,en&fallback=false`);
    expect(cold.json().language).toMatchObject({ requested: 'de,en', delivered: 'en', fallback: false });
    expect([cold.headers.get('x-cache'), creditsCharged(cold)]).toEqual(['MISS', 1]);
    const warm = await read(`${video}&language=DE,%20en&fallback=false`);
    expect([warm.headers.get('x-cache'), creditsCharged(warm)]).toEqual(['HIT', 0]);
    expect(warm.json()).toEqual(cold.json());
  });

  it('the languages of a video are free, and say which one is spoken', async () => {
    const before = creditsBalance(await customer.get('/v1/video?video_id=manualEn001'));
    const answer = await customer.get('/v1/video/languages?url=https://youtu.be/dubbedAsr01');
    expect(answer.json()).toMatchObject({
      video_id: 'dubbedAsr01',
      original_language: 'en',
      translatable: true,
    });
    expect([creditsCharged(answer), creditsBalance(answer)]).toEqual([0, before]);
    const { language } = (await read('video_id=dubbedAsr01&language=orig&fallback=false')).json();
    expect(language).toMatchObject({ requested: 'orig', delivered: 'en', kind: 'asr', fallback: false });
  });

  it('a job takes the original of each video', async () => {
    const body = { video_ids: ['hebrewIw001', 'asrOnlyEn01'], format: 'json', language: 'orig' };
    const created = await postJson(`${system.gateway}/v1/jobs`, body, bearer(customer.key));
    const { id } = created.json<{ job: { id: string } }>().job;
    await eventually(async () => {
      const { job } = (await customer.get(`/v1/jobs/${id}`)).json<{ job: Record<string, unknown> }>();
      expect(job).toMatchObject({
        ...{ status: 'completed', language: 'orig' },
        videos: [
          { requested_language: 'orig', delivered_language: 'iw', fallback: false },
          { requested_language: 'orig', delivered_language: 'en', fallback: false },
        ],
      });
    });
  });

  it('words come with their times, and facts and chapters with the text', async () => {
    const { cues } = (await read('video_id=asrOnlyEn01&format=json&words=true')).json<{
      cues: { start: number; words: { start: number }[] }[];
    }>();
    expect(cues.some(({ start, words }) => words.some((word) => word.start > start))).toBe(true);
    const { video } = (await read('video_id=chapters_01&format=srt')).json<{ video: object }>();
    expect(video).toMatchObject({
      tags: ['harbour', 'cranes'],
      chapters: [{ start: 0, title: 'Arrival' }, { start: 45 }, { start: 90 }],
    });
    expect((await customer.get('/v1/video?video_id=chapters_01')).json().video).toMatchObject(video);
  });
});
