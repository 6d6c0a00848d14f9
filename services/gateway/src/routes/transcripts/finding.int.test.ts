import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import { newListing } from '../../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;
beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount();
});
afterAll(() => harness?.stop());

const get = (path: string) => request(harness.url).get(path).set(account.bearer);
const head = (path: string) => request(harness.url).head(path).set(account.bearer);
const resolve = (text: string) =>
  request(harness.url).post('/v1/videos/resolve').set(account.bearer).send({ text });
const askedOf = (name: string) => harness.search.asked.filter((asked) => asked.name === name);
const last = (name: string) => askedOf(name).at(-1)?.request as Record<string, unknown>;

describe('GET /v1/videos', () => {
  it.each([
    ['', 'unknown_query_mode'],
    ['?url=@a&input=@b', 'conflicting_query_modes'],
    ['?url=', 'bulk_input_required'],
    ['?url=@handle&contents=live', 'invalid_contents'],
    ['?url=@handle&contents=all&contents=all', 'invalid_contents'],
    ...['1', '499', '20500', '-500', '+500', '500.0', '1e3', '0x1f4', ' 500', '00', ''].map(
      (offset): [string, string] => [`?url=@handle&offset=${encodeURIComponent(offset)}`, 'invalid_offset'],
    ),
    ['?url=@handle&page=2', 'unknown_parameter'],
  ])('rejects %s with %s', async (search, code) => {
    const answer = await get(`/v1/videos${search}`);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it.each(['0', '500', '20000'])('accepts the offset %s', async (offset) => {
    harness.search.commands.listVideos = async () => newListing();
    const answer = await get(`/v1/videos?input=@handle&offset=${offset}`);
    expect([answer.status, answer.headers['x-credits-charged']]).toEqual([200, '0']);
    expect(last('listVideos')).toMatchObject({
      input: '@handle',
      offset: Number(offset),
      startsNothing: false,
    });
  });

  it('answers 202 with the address to repeat while the listing is not complete', async () => {
    harness.search.commands.listVideos = async () => ({ state: 'pending' as const });
    const answer = await get('/v1/videos?url=@handle&contents=shorts&offset=500');
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      ...{ ok: true, status: 'pending' },
      poll_url: '/v1/videos?url=%40handle&contents=shorts&offset=500',
    });
    expect(answer.headers['retry-after']).toBe('2');
  });

  it('repeats an answer to a key from memory for a while, once the listing is complete', async () => {
    harness.search.commands.listVideos = async () => newListing({ freshForMs: 60_000 });
    const first = await get('/v1/videos?url=PLabcdefghijklmnop');
    const asked = askedOf('listVideos').length;
    const again = await get('/v1/videos?url=PLabcdefghijklmnop');
    expect([again.text, askedOf('listVideos').length]).toEqual([first.text, asked]);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  it.each([
    ['https://www.youtube.com/@x/shorts', 'shorts'],
    ['[t](https://www.youtube.com/@x/shorts)', 'shorts'],
    ['https://www.youtube.com/@x/videos?view=0', 'videos'],
    ['https://www.youtube.com/@x/shorts&contents=all', 'all'],
    ['https://www.youtube.com/@x/streams', 'streams'],
    ['https://www.youtube.com/@shorts', 'all'],
    ['@x', 'all'],
  ])('lists the tab named by %s, unless contents is sent: %s', async (url, contents) => {
    await get(`/v1/videos?url=${url.replace('?', '%3F')}`);
    expect(last('listVideos').contents).toBe(contents);
  });

  it('HEAD begins no listing', async () => {
    await head('/v1/videos?url=@handle');
    expect(last('listVideos')).toMatchObject({ startsNothing: true, waitMs: 0 });
  });
});

describe('POST /v1/videos/resolve', () => {
  it('passes on the ids in the text, and reports lines without one', async () => {
    const answer = await resolve(
      'https://youtu.be/dQw4w9WgXcQ and\nhttps://www.youtube.com/@handle\naqz-KE-bpKQ',
    );
    expect(last('resolveVideos').videoIds).toEqual(['dQw4w9WgXcQ', 'aqz-KE-bpKQ']);
    expect(answer.body).toEqual({
      ...{ ok: true, found: [], list: null },
      notFound: [
        { value: 'dQw4w9WgXcQ', video_id: 'dQw4w9WgXcQ', reason: 'unavailable' },
        { value: 'aqz-KE-bpKQ', video_id: 'aqz-KE-bpKQ', reason: 'unavailable' },
        { value: 'https://www.youtube.com/@handle', video_id: null, reason: 'not_a_video' },
      ],
    });
  });

  it('accepts a text of one mebibyte, and no more', async () => {
    const text = 'https://youtu.be/dQw4w9WgXcQ\n'.padEnd(1_048_576, 'word ');
    expect((await resolve(text)).status).toBe(200);
    expect((await resolve(`${text}x`)).body.code).toBe('invalid_text');
    expect((await resolve('"'.repeat(5 * 1_048_576))).body.code).toBe('body_too_large');
  });

  it.each([
    ['nothing that is a video', 'empty_list'],
    [Array.from({ length: 501 }, (_, at) => `A${String(at).padStart(10, '0')}`).join('\n'), 'list_too_large'],
    ['', 'invalid_text'],
  ])('rejects a text without ids, or with too many (%#)', async (text, code) => {
    const answer = await resolve(text);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });
});

describe('GET /v1/search', () => {
  it.each([
    ['', 'invalid_search_query'],
    ['?q=', 'invalid_search_query'],
    ['?q=%20%20', 'invalid_search_query'],
    ['?q=a%00b', 'invalid_search_query'],
    ['?q=a%0D%0Ab', 'invalid_search_query'],
    [`?q=${'a'.repeat(201)}`, 'invalid_search_query'],
    ['?q=a&q=b', 'invalid_search_query'],
    ['?q[]=a', 'invalid_search_query'],
    ['?q=a&type=movie', 'invalid_search_type'],
    ['?q=a&type=playlist&channel=@handle', 'invalid_search_type'],
    ['?q=a&channel=', 'invalid_channel'],
    ['?q=a&continuation=', 'invalid_continuation'],
    ['?q=a&continuation=a%0D%0Ab', 'invalid_continuation'],
    [`?q=a&continuation=${'a'.repeat(2_049)}`, 'invalid_continuation'],
  ])('rejects %s with %s, for 0 credits', async (search, code) => {
    const asked = askedOf('searchPage').length;
    const answer = await get(`/v1/search${search}`);
    expect([answer.status, answer.body.code, answer.headers['x-credits-charged']]).toEqual([400, code, '0']);
    expect(askedOf('searchPage')).toHaveLength(asked);
  });

  it('returns the page, its cost, and the remaining balance', async () => {
    const result = {
      ...{
        type: 'video' as const,
        video_id: 'dQw4w9WgXcQ',
        title: 'T',
        channel_title: 'C',
        duration_seconds: null,
      },
      ...{ view_count: 3, published_text: null, has_captions: true, thumbnail_url: null, cached: true },
    };
    harness.search.commands.searchPage = async () => ({
      ...{ results: [result], continuation: 'next', creditsCharged: 1, creditsLeft: 41 },
    });
    const answer = await get('/v1/search?q=%20words%20');
    expect(answer.body).toEqual({ ok: true, results: [result], continuation: 'next', has_more: true });
    expect([answer.headers['x-credits-charged'], answer.headers['x-credits-balance']]).toEqual(['1', '41']);
    const { accountId, keyId } = account.principal;
    expect(last('searchPage')).toMatchObject({
      query: 'words',
      type: 'video',
      channel: null,
      accountId,
      keyId,
    });
  });

  it('HEAD searches nothing', async () => {
    const asked = askedOf('searchPage').length;
    expect((await head('/v1/search?q=words')).status).toBe(404);
    expect(askedOf('searchPage')).toHaveLength(asked);
  });

  it('answered with a 5xx is waived, unless that is its own failure', async () => {
    harness.search.commands.searchPage = async () => {
      throw serviceError('upstream_error');
    };
    const failed = await get('/v1/search?q=words');
    harness.search.commands.searchPage = async () => {
      throw new Error('unforeseen');
    };
    const lost = await get('/v1/search?q=words');
    expect([failed.status, lost.status]).toEqual([502, 500]);
    const waived = () =>
      askedOf('waiveSearch').map((asked) => (asked.request as { requestId: string }).requestId);
    await eventually(() => expect(waived()).toContain(lost.headers['x-request-id']));
    expect(waived()).not.toContain(failed.headers['x-request-id']);
  });
});

describe('large texts', () => {
  const large = 'x'.repeat(200_000);

  it('are read two at a time per account, and do not delay other accounts', async () => {
    const [busy, bystander] = [await harness.addAccount(), await harness.addAccount()];
    const headers = { ...busy.bearer, 'content-type': 'application/json', 'content-length': '200000' };
    const halves = [1, 2].map(() => {
      const half = httpRequest(`${harness.url}/v1/videos/resolve`, { method: 'POST', headers });
      half.on('error', () => {});
      half.write('{"text":"');
      return half;
    });
    const send = (bearer: object) =>
      request(harness.url)
        .post('/v1/videos/resolve')
        .set(bearer as never)
        .send({ text: large });
    await eventually(async () =>
      expect((await send(busy.bearer)).body).toMatchObject({ code: 'concurrency_cap', retry_after: 1 }),
    );
    expect((await send(bystander.bearer)).body.code).toBe('empty_list');
    for (const half of halves) half.destroy();
    await eventually(async () => expect((await send(busy.bearer)).body.code).toBe('empty_list'));
  });
});
