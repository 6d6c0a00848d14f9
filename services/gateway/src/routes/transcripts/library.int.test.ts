import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSessionToken } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { parse } from 'csv-parse/sync';
import request from 'supertest';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;
beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount();
});
afterAll(() => harness?.stop());

const get = (path: string) => request(harness.url).get(path).set(account.bearer);
const last = (name: string) =>
  harness.fetcher.asked.filter((asked) => asked.name === name).at(-1)?.request as Record<string, unknown>;

const passage = {
  video_id: 'dQw4w9WgXcQ',
  title: 'A title',
  channel_id: null,
  channel_title: 'A channel',
  published_at: '2026-01-15',
  duration: 61,
  language: 'en',
  kind: 'asr' as const,
  translated: false,
  received_at: '2026-01-15T12:00:00.000Z',
};

describe('GET /v1/library/search', () => {
  it.each([
    ['', 'invalid_library_query'],
    ['?q=', 'invalid_library_query'],
    ['?q=%20', 'invalid_library_query'],
    ['?q=a%00b', 'invalid_library_query'],
    [`?q=${'a'.repeat(201)}`, 'invalid_library_query'],
    [`?q=${encodeURIComponent('word '.repeat(2_000))}`, 'invalid_library_query'],
    ['?q=a&job_id=1', 'invalid_job_id'],
    ['?q=a&video_id=1', 'invalid_video_id'],
    ['?q=a&language=klingonese', 'invalid_language'],
    ['?q=a&limit=51', 'invalid_limit'],
    ['?q=a&offset=1001', 'invalid_offset'],
    ['?q=a&channel=b', 'unknown_parameter'],
    ['?q=a&format=xlsx', 'invalid_list_format'],
  ])('rejects %s with %s, for 0 credits', async (search, code) => {
    const answer = await get(`/v1/library/search${search}`);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.headers['x-credits-charged']).toBe('0');
  });

  it('answers the refusal of a query without a word as 400', async () => {
    harness.fetcher.commands.searchLibrary = async () => {
      throw serviceError('invalid_library_query');
    };
    expect((await get('/v1/library/search?q=-a')).body).toMatchObject({ code: 'invalid_library_query' });
  });

  it('asks for the account of the key, and leads to the next page', async () => {
    const found = {
      ...passage,
      start: 61.5,
      end: 70,
      text: 'Found',
      match: { start: 61.5, text: 'Found' },
      url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=61s',
    };
    harness.fetcher.commands.searchLibrary = async () => ({ results: [found], total: 2, is_complete: false });
    const jobId = '0199c3a0-0000-7000-8000-000000000001';
    const answer = await get(`/v1/library/search?q=%22two+words%22&job_id=${jobId}&language=pt-br&limit=1`);
    expect(answer.status).toBe(200);
    expect(last('searchLibrary')).toEqual({
      ...{
        accountId: account.principal.accountId,
        q: '"two words"',
        jobId,
        language: 'pt-BR',
        limit: 1,
        offset: 0,
      },
    });
    expect(answer.body).toEqual({
      ...{ ok: true, results: [found], is_complete: false, limit: 1, offset: 0, total: 2, has_more: true },
      next: `/v1/library/search?q=%22two+words%22&job_id=${jobId}&language=pt-BR&limit=1&offset=1`,
    });
    expect(answer.headers['x-credits-charged']).toBe('0');
  });

  it('leads on behind the last item, whatever comes meanwhile, and says how much can be found so far', async () => {
    const cursor = '3f800000_1768478400000_0199c3a0-0000-7000-8000-000000000001_7';
    const index = { transcripts: 300, indexed: 33, is_growing: true };
    const found = {
      ...passage,
      start: 1,
      end: 2,
      text: 'F',
      match: { start: 1, text: 'F' },
      url: 'https://a.example/',
    };
    harness.fetcher.commands.searchLibrary = async () => ({
      ...{ results: [found], total: 9, is_complete: false, offset: 4, cursors: [cursor], index },
    });
    const { body } = await get('/v1/library/search?q=f&limit=1&offset=3');
    expect(body).toMatchObject({
      offset: 4,
      index,
      next: `/v1/library/search?q=f&limit=1&offset=5&after=${cursor}`,
    });
    expect((await get(body.next)).status).toBe(200);
    expect(last('searchLibrary')).toMatchObject({ after: cursor });
    for (const after of ['x', cursor.replace('0199c3a0', '----c3a0'), cursor.replace('_7', '_x')]) {
      const refused = await get(`/v1/library/search?q=f&after=${after}`);
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_offset']);
    }
  });

  it('takes no session, whose holder reads no text', async () => {
    const cookie = `svc_dashboard=${createSessionToken()}`;
    const answer = await request(harness.url).get('/v1/library/search?q=a').set({ cookie });
    expect([answer.status, answer.body.code]).toEqual([403, 'cookie_not_accepted']);
  });
});

describe('GET /v1/library', () => {
  it('lists facts and no text', async () => {
    harness.fetcher.commands.listLibrary = async () => ({ transcripts: [passage], total: 1 });
    const answer = await get('/v1/library?video_id=dQw4w9WgXcQ');
    expect(last('listLibrary')).toEqual({
      ...{ accountId: account.principal.accountId, videoId: 'dQw4w9WgXcQ', limit: 20, offset: 0 },
    });
    expect(answer.body).toEqual({
      ...{ ok: true, transcripts: [passage], limit: 20, offset: 0, total: 1, has_more: false, next: null },
    });
  });
});

describe('a library as a table', () => {
  const readTable = (text: string) => parse(text, { bom: true, columns: true, relax_quotes: false });

  it('is a page of facts that another program reads, and leads to the next page', async () => {
    const row = { ...passage, title: '=HYPERLINK("x", 1)\n', video_id: '-Qw4w9WgXcQ' };
    harness.fetcher.commands.listLibrary = async () => ({ transcripts: [row, passage], total: 3 });
    const answer = await get('/v1/library?format=csv&limit=2&language=en');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers.link).toBe('</v1/library?language=en&format=csv&limit=2&offset=2>; rel="next"');
    const [first, second] = readTable(answer.text) as Record<string, string>[];
    expect(first).toMatchObject({ video_id: '-Qw4w9WgXcQ', title: '\'=HYPERLINK("x", 1) ' });
    expect(second).toEqual({
      ...{ video_id: 'dQw4w9WgXcQ', title: 'A title', channel_id: '', channel_title: 'A channel' },
      ...{ published_at: '2026-01-15', duration: '61', language: 'en', kind: 'asr', translated: 'false' },
      received_at: '2026-01-15T12:00:00.000Z',
    });
  });

  it('has the words that were found and their second, and no link behind the last page', async () => {
    const found = { ...passage, start: 60, end: 70, text: 'Was "found"\nhere', url: 'https://a.example/' };
    const match = { start: 61.5, text: '+found' };
    harness.fetcher.commands.searchLibrary = async () => ({
      ...{ results: [{ ...found, match }], total: 1, is_complete: true },
    });
    const answer = await get('/v1/library/search?q=found&format=csv');
    expect(answer.headers.link).toBeUndefined();
    expect(readTable(answer.text)).toEqual([
      expect.objectContaining({
        ...{ text: 'Was "found"\nhere', match_start: '61.5', match_text: "'+found", url: found.url },
      }),
    ]);
  });

  it('that is not all says so in a header and behind its last page', async () => {
    const found = { ...passage, start: 60, end: 70, text: 'Found', url: 'https://a.example/' };
    const index = { transcripts: 300, indexed: 33, is_growing: true };
    harness.fetcher.commands.searchLibrary = async () => ({
      ...{ results: [{ ...found, match: { start: 61, text: 'Found' } }], total: 2, is_complete: false, index },
    });
    const first = await get('/v1/library/search?q=found&format=csv&limit=1');
    expect([first.headers['x-is-complete'], readTable(first.text)]).toEqual(['false', [expect.anything()]]);
    const last = await get('/v1/library/search?q=found&format=csv&limit=1&offset=1');
    expect(last.headers['x-is-complete']).toBe('false');
    expect((readTable(last.text) as Record<string, string>[]).map((row) => row.video_id)).toEqual([
      'dQw4w9WgXcQ',
      'NOT COMPLETE: 33 of 300 transcripts can be searched so far',
    ]);
  });

  it('of nothing is its header', async () => {
    harness.fetcher.commands.searchLibrary = async () => ({ results: [], total: 0, is_complete: true });
    const { text } = await get('/v1/library/search?q=a&format=csv');
    expect(text).toMatch(/^\ufeffvideo_id,title,[\w,]+,match_start,match_text,match_sentence,url\r\n$/);
  });
});
