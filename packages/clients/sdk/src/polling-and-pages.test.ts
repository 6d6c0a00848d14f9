import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { envelope, errorOfCall, fakeService, json, settle } from './test-support/fake-service.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const all = async <Row>(rows: AsyncIterable<Row>): Promise<Row[]> => {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
};

describe('a transcript that is not ready', () => {
  const poll_url = '/v1/transcript?request_id=one&format=srt';
  const pending = json({ ok: true, status: 'pending', request_id: 'one', poll_url }, 202, {
    'retry-after': '3',
  });
  const ready = json({ ok: true, format: 'srt', text: '1' });

  it('is asked for at its own address until it is there, never before Retry-After', async () => {
    const { client, sent } = fakeService([pending, pending, ready]);
    const language: string | undefined = undefined;
    const choice = { format: 'srt', language } as const;
    expect((await settle(client.transcripts.get('slow30sec01', choice))).text).toBe('1');
    expect(sent.map(({ url }) => url.search)).toEqual([
      '?video_id=slow30sec01&format=srt',
      '?request_id=one&format=srt',
      '?request_id=one&format=srt',
    ]);
    expect(sent.map(({ atMs }) => Math.floor(atMs / 1_000))).toEqual([0, 3, 6]);
  });

  it('ends with the error that its work ended with', async () => {
    const gone = json(envelope({ errorClass: 'NoCaptions', code: 'no_captions', retryable: false }), 404);
    const { client } = fakeService([pending, gone]);
    expect(await errorOfCall(client.transcripts.get('slow30sec01'))).toMatchObject({
      name: 'NoCaptionsError',
    });
  });

  it('is given up when signal says so', async () => {
    const given = new AbortController();
    setTimeout(() => given.abort(), 10_000);
    const { client, sent } = fakeService([pending]);
    const asked = client.transcripts.get('slow30sec01', { signal: given.signal });
    expect(await errorOfCall(asked)).toMatchObject({ name: 'AbortError' });
    expect(sent).toHaveLength(4);
  });
});

describe('what a request cost', () => {
  const headers = {
    'x-request-id': 'one',
    'x-credits-charged': '1',
    'x-credits-balance': '99',
    'x-cache': 'MISS',
  };
  const meta = { requestId: 'one', charged: 1, balance: 99, cache: 'MISS' };

  it('stands with a transcript, its file, and each page of a search', async () => {
    const { client } = fakeService([json({ text: '1', results: [], continuation: null }, 200, headers)]);
    expect((await settle(client.transcripts.get('manualEn001'))).meta).toEqual(meta);
    expect((await settle(client.transcripts.file('manualEn001'))).meta).toEqual(meta);
    const pages = await settle(all(client.search('harbour').pages()));
    expect(pages.map((page) => page.meta)).toEqual([meta]);
  });
});

describe('a file', () => {
  it('has the name that the service gives it, in either form', async () => {
    const named = (disposition: string) =>
      fakeService([new Response('1', { headers: { 'content-disposition': disposition } })]).client;
    const plain = named('attachment; filename="A title.en.srt"');
    expect(await settle(plain.transcripts.file('manualEn001'))).toEqual({
      text: '1',
      name: 'A title.en.srt',
      meta: { requestId: null, charged: null, balance: null, cache: null },
    });
    const encoded = named(`attachment; filename="Gr.srt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.srt`);
    expect((await settle(encoded.transcripts.file('manualEn001'))).name).toBe('Grüße.srt');
  });
});

describe('passages', () => {
  const passages = [{ start: 0, end: 2, text: 'One.', url: 'https://a.test' }];

  it('are asked for by transcript, and by file of a job', async () => {
    const { client, sent } = fakeService([
      json({ ok: true, format: 'json', cues: [], passages }),
      json({ ok: true, job: { id: 'job-1' } }),
      json({ ok: true, format: 'json', cues: [], passages }),
    ]);
    const asked = { format: 'json', passages: true, passage_characters: 500 } as const;
    expect((await settle(client.transcripts.get('manualEn001', asked))).passages).toEqual(passages);
    const job = await settle(client.jobs.get('job-1'));
    expect(await settle(job.passages('manualEn001'))).toEqual(passages);
    expect(sent.map(({ url }) => url.pathname + url.search)).toEqual([
      '/v1/transcript?video_id=manualEn001&format=json&passages=true&passage_characters=500',
      '/v1/jobs/job-1',
      '/v1/jobs/job-1/files/manualEn001?passages=true',
    ]);
  });
});

describe('a list', () => {
  const page = (rows: number[], next: string | null) => json({ ok: true, jobs: rows, next });

  it('is read page by page, at the address that each page names', async () => {
    const { client, sent } = fakeService([page([1, 2], '/v1/jobs?offset=2&limit=2'), page([3], null)]);
    expect(await settle(all(client.jobs.list({ limit: 2, status: 'failed' })))).toEqual([1, 2, 3]);
    expect(sent.map(({ url }) => url.search)).toEqual(['?limit=2&status=failed', '?offset=2&limit=2']);
  });

  it('is read no further than it is asked for', async () => {
    const { client, sent } = fakeService([page([1, 2], '/v1/jobs?offset=2')]);
    for await (const row of client.jobs.list()) if ((row as unknown) === 2) break;
    expect(sent).toHaveLength(1);
  });

  it('of videos waits for a listing, and goes on at next_offset', async () => {
    const pending = json({ ok: true, status: 'pending', poll_url: '/v1/videos?input=%40a' }, 202);
    const videos = (rows: string[], next_offset: number | null) =>
      json({ ok: true, videos: rows, next_offset });
    const { client, sent } = fakeService([pending, videos(['a'], 500), videos(['b'], null)]);
    expect(await settle(all(client.videos.list('@a')))).toEqual(['a', 'b']);
    expect(sent.map(({ url }) => url.search)).toEqual(['?input=%40a', '?input=%40a', '?input=%40a&offset=500']);
  });

  it('of a library follows the address of the next page, with its words and filters', async () => {
    const results = (rows: string[], next: string | null) => json({ ok: true, results: rows, next });
    const next = '/v1/library/search?q=%22a+b%22&limit=1&offset=1';
    const { client, sent } = fakeService([results(['a'], next), results(['b'], null)]);
    expect(await settle(all(client.library.search('"a b"', { job_id: 'one', limit: 1 })))).toEqual(['a', 'b']);
    expect(sent.map(({ url }) => url.pathname + url.search)).toEqual([
      '/v1/library/search?q=%22a+b%22&job_id=one&limit=1',
      next,
    ]);
  });

  it('of a search begin when all that was received before can be found, and say if that was not all', async () => {
    const page = (indexed: number, is_growing: boolean, is_complete = false) =>
      json({ results: [indexed], is_complete, next: null, index: { transcripts: 300, indexed, is_growing } });
    const { client } = fakeService([page(33, true), page(120, true), page(300, false, true)]);
    const seen: number[] = [];
    const pages = client.library.search('a', { onIndexing: ({ indexed }) => seen.push(indexed) });
    expect([await settle(all(pages)), seen]).toEqual([[300], [33, 120]]);
    expect(pages.last).toMatchObject({ is_complete: true });
    const given = fakeService([page(33, false)]).client.library.search('a');
    expect([await settle(all(given)), given.last?.is_complete]).toEqual([[33], false]);
  });

  it('of a list that grows at its head have each item once, in each loop', async () => {
    const page = (ids: readonly string[], next: string | null) =>
      json({ jobs: ids.map((id) => ({ id })), next });
    const next = '/v1/jobs?offset=2';
    const twice = [
      page(['c', 'b'], next),
      page(['b', 'a'], null),
      page(['c', 'b'], next),
      page(['b', 'a'], null),
    ];
    const jobs = fakeService(twice).client.jobs.list();
    const ids = [{ id: 'c' }, { id: 'b' }, { id: 'a' }];
    expect([await settle(all(jobs)), await settle(all(jobs))]).toEqual([ids, ids]);
  });

  it('of a library or of matches as CSV are one table with one header and the mark that spreadsheets need', async () => {
    const page = (rows: string, link?: string) =>
      new Response(`\ufeffvideo_id,title\r\n${rows}`, { headers: link ? { link } : {} });
    const next = '/v1/library/search?q=a+b&format=csv&limit=50&offset=50';
    const { client, sent } = fakeService([
      json({ results: [], next: null }),
      page('a,"one\r\ntwo"\r\n', `<${next}>; rel="next"`),
      page('b,three\r\n'),
      page(''),
      page('c,four\r\n'),
    ]);
    expect(await settle(client.library.csv({ q: 'a b' }))).toBe(
      '\ufeffvideo_id,title\r\na,"one\r\ntwo"\r\nb,three\r\n',
    );
    expect(await settle(client.library.csv({ language: 'en' }))).toBe('\ufeffvideo_id,title\r\n');
    const matches = client.monitors.matchesCsv({ monitor_id: 'm' });
    expect(await settle(matches)).toBe('\ufeffvideo_id,title\r\nc,four\r\n');
    expect(sent.map(({ url }) => url.pathname + url.search)).toEqual([
      '/v1/library/search?q=a+b&limit=1',
      '/v1/library/search?q=a+b&format=csv&limit=50',
      next,
      '/v1/library?language=en&format=csv&limit=100',
      '/v1/matches?monitor_id=m&format=csv&limit=100',
    ]);
  });

  it('of a search sends the continuation with the same words', async () => {
    const results = (rows: string[], continuation: string | null) =>
      json({ ok: true, results: rows, continuation });
    const { client, sent } = fakeService([results(['a'], 'x=='), results(['b'], null)]);
    expect(await settle(all(client.search('cranes', { type: 'channel' })))).toEqual(['a', 'b']);
    expect(sent[1]?.url.searchParams.get('continuation')).toBe('x==');
    expect(sent[1]?.url.searchParams.get('q')).toBe('cranes');
    expect(sent[1]?.url.searchParams.get('type')).toBe('channel');
  });
});
