import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import request from 'supertest';
import { VIDEO_ID } from '../../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;
beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount();
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.fetcher.asked.length = 0;
});

const PATH = '/v1/video/languages';
const get = (search: string) => request(harness.url).get(`${PATH}${search}`).set(account.bearer);

describe('GET /v1/video/languages', () => {
  it.each([`video_id=${VIDEO_ID}`, `input=${VIDEO_ID}`, `url=https://youtu.be/${VIDEO_ID}?t=5`])(
    'answers the languages of the video of %s for nothing',
    async (search) => {
      harness.fetcher.commands.listLanguages = async ({ videoId }) => ({
        video_id: videoId,
        original_language: 'ja',
        tracks: [{ language_code: 'ja', kind: 'asr', name: 'Japanese (auto-generated)' }],
        translatable: true,
        checked_at: '2026-01-15T12:00:00.000Z',
      });
      const answer = await get(`?${search}`);
      expect([answer.status, answer.headers['x-credits-charged']]).toEqual([200, '0']);
      expect(answer.body).toEqual({
        ...{ ok: true, video_id: VIDEO_ID, original_language: 'ja', translatable: true },
        tracks: [{ language_code: 'ja', kind: 'asr', name: 'Japanese (auto-generated)' }],
        checked_at: '2026-01-15T12:00:00.000Z',
      });
      const { accountId } = account.principal;
      expect(harness.fetcher.asked).toMatchObject([
        { name: 'listLanguages', request: { accountId, videoId: VIDEO_ID, cacheOnly: false } },
      ]);
    },
  );

  it.each([
    ['', 'unknown_query_mode'],
    [`?video_id=${VIDEO_ID}&input=${VIDEO_ID}`, 'conflicting_query_modes'],
    ['?url=https://www.youtube.com/@handle', 'single_video_required'],
    [`?video_id=${VIDEO_ID}&language=en`, 'unknown_parameter'],
  ])('rejects %s with %s, without a call to a service', async (search, code) => {
    const answer = await get(search);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(harness.fetcher.asked).toEqual([]);
  });

  it.each([
    ['no_captions', 404, 'NoCaptions'],
    ['video_unavailable', 410, 'Unavailable'],
    ['ip_blocked', 502, 'IpBlocked'],
    ['video_languages_cap', 429, 'QuotaExceeded'],
  ] as const)('answers %s with %i, for nothing', async (code, status, errorClass) => {
    harness.fetcher.commands.listLanguages = async () => {
      throw serviceError(code, code === 'video_languages_cap' ? { retryAfterSeconds: 60 } : {});
    };
    const answer = await get(`?video_id=${VIDEO_ID}`);
    expect([answer.status, answer.body.code, answer.body.errorClass]).toEqual([status, code, errorClass]);
    expect(answer.headers['x-credits-charged']).toBe('0');
  });

  it('starts nothing for HEAD', async () => {
    harness.fetcher.commands.listLanguages = async () => {
      throw serviceError('not_cached');
    };
    const answer = await request(harness.url).head(`${PATH}?video_id=${VIDEO_ID}`).set(account.bearer);
    expect(answer.status).toBe(404);
    expect(harness.fetcher.asked).toMatchObject([{ request: { cacheOnly: true } }]);
  });
});
