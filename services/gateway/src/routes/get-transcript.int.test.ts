import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  errorEnvelope,
  pendingBody,
  renderedFiles,
  renderedTranscripts,
  serviceError,
  type TranscriptSelection,
  transcriptBody,
  utcDay,
} from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import { readsPrefix, SEEDED } from '../admission/count-read-script.ts';
import { deliveredFor, newBalance, newDelivered, VIDEO_ID } from '../test-support/builders.ts';
import { startWorld, type World } from '../test-support/world.ts';

/** Instead of 25 seconds. */
const COLD_WAIT_MS = 700;
const FILE = 'Hello\n\n[00:00] Hello "you"\n';
let world: World;
let account: Awaited<ReturnType<World['addAccount']>>;

beforeAll(async () => {
  world = await startWorld({ overrides: { coldWaitMs: COLD_WAIT_MS } });
});
afterAll(() => world?.stop());
beforeEach(async () => {
  account = await world.addAccount({ tier: 'paid' });
  world.fetcher.heard.length = 0;
});

const get = (path: string) => request(world.url).get(path).set(account.bearer);

let counter = 0;
/** A video that nobody has read before in this file. */
const freshVideo = () => `video${String(++counter).padStart(6, '0')}`;

describe('HEAD', () => {
  const head = (path: string) => request(world.url).head(path).set(account.bearer);

  it('of what is cached answers the headers of GET, for nothing', async () => {
    await world.cache(newDelivered(FILE), FILE);
    for (const more of ['', '&raw=1']) {
      const path = `/v1/transcript?video_id=${VIDEO_ID}${more}`;
      const [told, got] = [await head(path), await get(path)];
      const { 'x-request-id': _one, date: _then, ...headers } = told.headers;
      expect(got.headers).toMatchObject(headers);
      expect([told.status, told.headers['x-cache'], told.headers['content-length']]).toEqual([
        200,
        'HIT',
        String(Buffer.byteLength(got.text)),
      ]);
    }
    expect(world.fetcher.heard).toEqual([]);
  });

  it('of a cold transcript asks the cache alone and takes no lease', async () => {
    world.fetcher.commands['get-transcript'] = async ({ cacheOnly }) => {
      if (cacheOnly) throw serviceError('transcript_not_ready');
      throw serviceError('unexpected_error');
    };
    const answer = await head(`/v1/transcript?video_id=${freshVideo()}`);
    expect([answer.status, answer.headers['x-credits-charged']]).toEqual([404, '0']);
    expect(world.fetcher.heard).toMatchObject([{ request: { cacheOnly: true, waitMs: 0 } }]);
  });

  it('of work under way does not wait for it', async () => {
    const requestId = world.newId();
    world.fetcher.commands['poll-request'] = async () => ({ state: 'pending', requestId });
    expect((await head(`/v1/transcript?request_id=${requestId}`)).status).toBe(202);
    expect(world.fetcher.heard).toMatchObject([{ request: { waitMs: 0 } }]);
  });
});

describe('compression', () => {
  const LARGE = 'Hello again, and again. '.repeat(500);
  const wire = async (method: string, search: string, accepted: string) => {
    const answer = await fetch(`${world.url}/v1/transcript?${search}`, {
      method,
      headers: { ...account.bearer, 'accept-encoding': accepted },
    });
    return { answer, text: await answer.text() };
  };

  it.each(['', '&raw=1'])(
    'a cached transcript is the same file in every encoding, and to HEAD: %s',
    async (more) => {
      const video = { ...newDelivered('').video, id: freshVideo() };
      await world.cache(newDelivered(LARGE, { video }), LARGE);
      const search = `video_id=${video.id}${more}`;
      const { text, answer } = await wire('GET', search, 'identity');
      expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
        null,
        'Accept-Encoding',
      ]);
      for (const encoding of ['gzip', 'br']) {
        const got = await wire('GET', search, encoding);
        expect(got.text).toBe(text);
        expect(got.answer.headers.get('content-encoding')).toBe(encoding);
        expect(Number(got.answer.headers.get('content-length'))).toBeLessThan(text.length / 5);
        const told = await wire('HEAD', search, encoding);
        for (const name of ['content-encoding', 'content-length', 'vary', 'content-type', 'x-cache'])
          expect([name, told.answer.headers.get(name)]).toEqual([name, got.answer.headers.get(name)]);
      }
    },
  );

  it('never touches what shows a secret', async () => {
    const made = await fetch(`${world.url}/v1/keys`, {
      method: 'POST',
      headers: { ...account.bearer, 'content-type': 'application/json', 'accept-encoding': 'gzip, br' },
      body: JSON.stringify({ name: 'a name' }),
    });
    expect([made.status, made.headers.get('content-encoding'), made.headers.get('vary')]).toEqual([
      201,
      null,
      null,
    ]);
    await made.text();
  });
});

describe('a cached transcript', () => {
  it('is answered from the projection, for nothing, without any command', async () => {
    const delivered = newDelivered(FILE);
    await world.cache(delivered, FILE);
    const answer = await get(`/v1/transcript?video_id=${VIDEO_ID}`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'x-cache': 'HIT',
      'x-credits-charged': '0',
      'x-credits-balance': '100',
      'x-ratelimit-limit': '300',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(transcriptBody.parse(answer.body)).toEqual({
      ok: true,
      video: delivered.video,
      format: 'both',
      language: delivered.language,
      fetched_at: delivered.fetchedAt,
      text: FILE,
    });
    expect(world.fetcher.heard).toEqual([]);
  });

  it('is a file with a name when raw is asked for', async () => {
    await world.cache(newDelivered(FILE), FILE);
    const answer = await get(`/v1/transcript?video_id=${VIDEO_ID}&raw=1`);
    expect(answer.text).toBe(FILE);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="2009-10-25 - A.*\.en\.both\.txt/,
    );
  });

  it('that is a file says the languages in its headers, from the fetcher, the projection and the memory alike', async () => {
    const language = { requested: 'fr', delivered: 'en', kind: 'asr', fallback: true } as const;
    const given = { language: { ...language, translation: 'unavailable' } } as const;
    const video = freshVideo();
    const asked = { videoId: video, language: 'fr', fallback: true, format: 'srt' } as const;
    world.storeFile(newDelivered(FILE), FILE);
    world.fetcher.commands['get-transcript'] = async () => deliveredFor(asked, FILE, given);
    const path = `/v1/transcript?video_id=${video}&language=fr&format=srt&raw=1`;
    const fromFetcher = await get(path);
    const fromMemory = await get(path);
    await world.cache(deliveredFor(asked, FILE, given), FILE);
    const other = await world.addGateway();
    const fromProjection = await request(other.url).get(path).set(account.bearer);
    await other.stop();
    const told = {
      'content-language': 'en',
      'x-transcript-language-requested': 'fr',
      'x-transcript-fallback': 'true',
      'x-transcript-translation': 'unavailable',
      'x-transcript-kind': 'asr',
    };
    for (const answer of [fromFetcher, fromMemory, fromProjection])
      expect(answer.headers).toMatchObject(told);
    const caches = [fromFetcher, fromMemory, fromProjection].map(({ headers }) => headers['x-cache']);
    expect(caches).toEqual(['MISS', 'HIT', 'HIT']);
  });

  it('has its cues spliced in for format json', async () => {
    const file = '[{"start":0,"duration":1.5,"text":"Hi"}]';
    const video = freshVideo();
    await world.cache(
      newDelivered(file, { format: 'json', video: { ...newDelivered('').video, id: video } }),
      file,
    );
    const { body } = await get(`/v1/transcript?video_id=${video}&format=json`);
    expect(transcriptBody.parse(body).cues).toEqual(JSON.parse(file));
  });

  it('whose projection holds another one is asked for anew', async () => {
    const video = freshVideo();
    const other = newDelivered('Other', { video: { ...newDelivered('').video, id: video }, format: 'clean' });
    const place: [string, string, string, string] = [video, 'en', 'true', 'srt'];
    await world.bodies.write(renderedTranscripts, place, other, {
      projection: renderedFiles,
      keyParts: [other.sha256],
      body: Buffer.from('Other'),
    });
    world.storeFile(newDelivered(FILE), FILE);
    world.fetcher.commands['get-transcript'] = async (asked) => deliveredFor(asked, FILE);
    const answer = await get(`/v1/transcript?video_id=${video}&format=srt&raw=1`);
    expect([answer.status, answer.text, answer.headers['x-cache']]).toEqual([200, FILE, 'MISS']);
  });

  it('is the same one for every tag that names its language, however many are invented', async () => {
    await world.cache(newDelivered(FILE), FILE);
    for (const tag of ['en-x-a1', 'en-x-a2', 'EN-u-nu-latn', 'en-t-es']) {
      const answer = await get(`/v1/transcript?video_id=${VIDEO_ID}&language=${tag}`);
      expect([answer.headers['x-cache'], answer.body.language.requested]).toEqual(['HIT', 'en']);
    }
    expect(world.fetcher.heard).toEqual([]);
  });

  it('whose file is too large for the cache, or was dropped from it, comes from the object store without any command', async () => {
    const video = freshVideo();
    const delivered = newDelivered(FILE, { video: { ...newDelivered('').video, id: video } });
    world.storeFile(delivered, FILE);
    await world.bodies.write(renderedTranscripts, [video, 'en', 'true', 'both'], delivered, {
      projection: renderedFiles,
      keyParts: ['nowhere'],
      body: null,
    });
    const answer = await get(`/v1/transcript?video_id=${video}&raw=1`);
    expect([answer.status, answer.text, answer.headers['x-cache']]).toEqual([200, FILE, 'HIT']);
    expect(world.fetcher.heard).toEqual([]);
  });

  it('that the object store has lost is asked of the fetcher, and counts as one read', async () => {
    const video = freshVideo();
    const delivered = newDelivered('lost', { video: { ...newDelivered('').video, id: video } });
    await world.bodies.write(renderedTranscripts, [video, 'en', 'true', 'both'], delivered, {
      projection: renderedFiles,
      keyParts: ['nowhere'],
      body: null,
    });
    world.storeFile(newDelivered(FILE), FILE);
    const hit = { cache: 'HIT', creditsCharged: 0 } as const;
    world.fetcher.commands['get-transcript'] = async (asked) => deliveredFor(asked, FILE, hit);
    const answer = await get(`/v1/transcript?video_id=${video}&raw=1`);
    expect([answer.status, answer.text, answer.headers['x-cache']]).toEqual([200, FILE, 'HIT']);
    const counter = readsPrefix(utcDay(new Date())) + account.principal.keyId;
    await eventually(async () => expect(Number(await world.redis.get(counter)) % SEEDED).toBe(1));
  });

  it('stays in memory: a second read needs neither projection nor command', async () => {
    const video = freshVideo();
    const delivered = newDelivered(FILE, { video: { ...newDelivered('').video, id: video } });
    await world.cache(delivered, FILE);
    const first = await get(`/v1/transcript?video_id=${video}`);
    await world.redis.flushdb();
    await world.keepFresh();
    const second = await get(`/v1/transcript?video_id=${video}`);
    expect(second.text).toBe(first.text);
    expect(second.headers['x-cache']).toBe('HIT');
    expect(world.fetcher.heard).toEqual([]);
  });
});

describe('a cold transcript', () => {
  it('goes to the fetcher with a wait, and shows what was charged and the balance after it', async () => {
    const video = freshVideo();
    world.storeFile(newDelivered(FILE), FILE);
    world.fetcher.commands['get-transcript'] = async (asked) => deliveredFor(asked, FILE);
    world.ledger.commands['get-balance'] = async ({ accountId }) => newBalance(accountId, { free: 99 });
    const answer = await get(`/v1/transcript?video_id=${video}&language=PT-br&fallback=false&format=srt`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'x-cache': 'MISS',
      'x-credits-charged': '1',
      'x-credits-balance': '99',
    });
    expect(world.fetcher.heard).toMatchObject([
      {
        name: 'get-transcript',
        request: {
          videoId: video,
          language: 'pt-BR',
          fallback: false,
          format: 'srt',
          accountId: account.principal.accountId,
          keyId: account.principal.keyId,
          tier: 'paid',
          requestId: answer.headers['x-request-id'],
          cacheOnly: false,
          waitMs: COLD_WAIT_MS,
        },
      },
    ]);
    const again = await get(`/v1/transcript?video_id=${video}&language=pt-BR&fallback=0&format=srt`);
    expect(again.headers).toMatchObject({ 'x-cache': 'HIT', 'x-credits-charged': '0' });
    expect(again.text).toBe(answer.text);
  });

  it('shows the balance that its answer brings along, without asking the ledger', async () => {
    const video = freshVideo();
    const miss = { cache: 'MISS', creditsCharged: 1, creditsLeft: 41 } as const;
    world.storeFile(newDelivered(FILE), FILE);
    world.fetcher.commands['get-transcript'] = async (asked) => deliveredFor(asked, FILE, miss);
    world.ledger.heard.length = 0;
    const answer = await get(`/v1/transcript?video_id=${video}&format=srt`);
    expect(answer.headers).toMatchObject({ 'x-credits-charged': '1', 'x-credits-balance': '41' });
    expect(world.ledger.heard).toEqual([]);
  });

  it('that comes whole with its answer is served without a look at any store', async () => {
    world.fetcher.commands['get-transcript'] = async (asked) => ({
      ...deliveredFor(asked, FILE),
      text: FILE,
    });
    const answer = await get(`/v1/transcript?video_id=${freshVideo()}&format=srt&raw=1`);
    expect([answer.status, answer.text]).toEqual([200, FILE]);
  });

  it('whose answer was lost is asked for by its id before anybody is told that it failed', async () => {
    const video = freshVideo();
    const delivered = newDelivered(FILE, { video: { ...newDelivered('').video, id: video } });
    world.storeFile(delivered, FILE);
    world.fetcher.commands['get-transcript'] = () => Promise.reject(serviceError('service_unavailable'));
    world.fetcher.commands['poll-request'] = async () => delivered;
    const answer = await get(`/v1/transcript?video_id=${video}`);
    expect([answer.status, answer.headers['x-credits-charged']]).toEqual([200, '1']);
    expect(world.fetcher.heard.at(-1)).toMatchObject({
      name: 'poll-request',
      request: { requestId: answer.headers['x-request-id'], accountId: account.principal.accountId },
    });
  });

  it('that outlives the wait is a 202 with an address to poll in the same form', async () => {
    world.fetcher.commands['get-transcript'] = async ({ requestId }) => ({ state: 'pending', requestId });
    world.fetcher.commands['poll-request'] = async ({ requestId }) => ({ state: 'pending', requestId });
    const answer = await get(`/v1/transcript?video_id=${freshVideo()}&format=vtt&raw=1`);
    expect(answer.status).toBe(202);
    expect(answer.headers).toMatchObject({ 'x-cache': 'MISS', 'x-credits-charged': '0', 'retry-after': '2' });
    const { request_id, poll_url } = pendingBody.parse(answer.body);
    expect(poll_url).toBe(`/v1/transcript?request_id=${request_id}&format=vtt&raw=1`);
    const delivered = newDelivered(FILE, { format: 'vtt' });
    world.storeFile(delivered, FILE);
    world.fetcher.commands['poll-request'] = async () => delivered;
    const polled = await get(poll_url);
    expect(polled.text).toBe(FILE);
    expect(polled.headers['content-type']).toBe('text/vtt; charset=utf-8');
    expect(world.fetcher.heard.at(-1)).toEqual({
      name: 'poll-request',
      request: {
        accountId: account.principal.accountId,
        requestId: request_id,
        format: 'vtt',
        waitMs: 10_000,
      },
    });
  });

  it('with a refused translation is not kept, for the next reader may have more luck', async () => {
    const video = freshVideo();
    const language = {
      requested: 'es',
      delivered: 'en',
      kind: 'asr',
      fallback: true,
      translation: 'refused',
    } as const;
    const delivered = newDelivered(FILE, { language, video: { ...newDelivered('').video, id: video } });
    world.storeFile(delivered, FILE);
    world.fetcher.commands['get-transcript'] = async () => delivered;
    await get(`/v1/transcript?video_id=${video}&language=es`);
    await get(`/v1/transcript?video_id=${video}&language=es`);
    expect(world.fetcher.heard).toHaveLength(2);
  });

  it.each<[part: string, given: () => Partial<TranscriptSelection>]>([
    ['format', () => ({ format: 'clean' })],
    ['language', () => ({ language: 'fr' })],
    ['video', () => ({ videoId: freshVideo() })],
  ])(
    'that is answered in another %s is an error, charged to nobody and kept nowhere',
    async (_part, given) => {
      const video = freshVideo();
      world.storeFile(newDelivered(FILE), FILE);
      world.fetcher.commands['get-transcript'] = async (asked) =>
        deliveredFor({ ...asked, ...given() }, FILE);
      const path = `/v1/transcript?video_id=${video}&format=srt&raw=1`;
      const answer = await get(path);
      expect(answer.status).toBe(500);
      expect(answer.headers['x-credits-charged']).toBe('0');
      expect(errorEnvelope.parse(answer.body)).toMatchObject({ code: 'unexpected_error' });
      world.fetcher.commands['get-transcript'] = async (asked) => deliveredFor(asked, FILE);
      const next = await get(path);
      expect([next.status, next.headers['x-cache']]).toEqual([200, 'MISS']);
    },
  );

  it('that falls back although the caller is strict is an error, and no fallback', async () => {
    const language = { ...newDelivered('').language, fallback: true };
    world.fetcher.commands['get-transcript'] = async (asked) => deliveredFor(asked, FILE, { language });
    const answer = await get(`/v1/transcript?video_id=${freshVideo()}&fallback=false`);
    expect([answer.status, answer.headers['x-credits-charged']]).toEqual([500, '0']);
  });

  it('that is polled in a format and answered in another is an error', async () => {
    world.fetcher.commands['poll-request'] = async () => newDelivered(FILE, { format: 'clean' });
    const answer = await get(`/v1/transcript?request_id=${world.newId()}&format=srt&raw=1`);
    expect([answer.status, answer.headers['x-credits-charged']]).toEqual([500, '0']);
  });

  it('whose file is gone is a retryable error, not a broken body', async () => {
    world.fetcher.commands['get-transcript'] = async (asked) => deliveredFor(asked, 'nowhere');
    const answer = await get(`/v1/transcript?video_id=${freshVideo()}`);
    expect(answer.status).toBe(502);
    expect(errorEnvelope.parse(answer.body)).toMatchObject({ code: 'cache_object_missing', retryable: true });
  });

  it('that fails carries the envelope, its extras and no charge', async () => {
    world.fetcher.commands['get-transcript'] = async () => {
      throw serviceError('insufficient_credits', {
        extras: { required: 1, available: 0, shortfall: 1, buy_url: 'https://api.example/buy' },
      });
    };
    const answer = await get(`/v1/transcript?video_id=${freshVideo()}`);
    expect(answer.status).toBe(402);
    expect(answer.headers['x-credits-charged']).toBe('0');
    expect(errorEnvelope.parse(answer.body)).toEqual({
      ok: false,
      errorClass: 'InsufficientCredits',
      code: 'insufficient_credits',
      message: expect.any(String),
      retryable: false,
      docs_url: 'https://api.example/docs/errors#InsufficientCredits',
      request_id: answer.headers['x-request-id'],
      required: 1,
      available: 0,
      shortfall: 1,
      buy_url: 'https://api.example/buy',
    });
  });
});

describe('the query', () => {
  it.each([
    ['', 'unknown_query_mode'],
    [`?video_id=${VIDEO_ID}&request_id=0b0e5a8e-6c5e-4c5e-9c5e-6c5e4c5e9c5e`, 'conflicting_query_modes'],
    ['?request_id=nonsense', 'invalid_request_id'],
  ])('%s is refused as %s', async (search, code) => {
    const answer = await get(`/v1/transcript${search}`);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe(code);
    expect(answer.headers['x-credits-charged']).toBe('0');
  });
});
