import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { newDelivered, VIDEO_ID } from '../test-support/builders.ts';
import { FILE, setUpReads } from '../test-support/reads.ts';

const reads = setUpReads();
const { get, head, freshVideo } = reads;

describe('HEAD', () => {
  it('of a cached transcript answers the headers of GET, at no charge', async () => {
    await reads.harness.cache(newDelivered(FILE), FILE);
    for (const more of ['', '&raw=1']) {
      const path = `/v1/transcript?video_id=${VIDEO_ID}${more}`;
      const [headOnly, got] = [await head(path), await get(path)];
      const { 'x-request-id': _one, date: _then, ...headers } = headOnly.headers;
      expect(got.headers).toMatchObject(headers);
      expect([headOnly.status, headOnly.headers['x-cache'], headOnly.headers['content-length']]).toEqual([
        200,
        'HIT',
        String(Buffer.byteLength(got.text)),
      ]);
    }
    expect(reads.harness.fetcher.asked).toEqual([]);
  });

  it('of a cold transcript reads the cache only and takes no lease', async () => {
    reads.harness.fetcher.commands.getTranscript = async ({ cacheOnly }) => {
      if (cacheOnly) throw serviceError('transcript_not_ready');
      throw serviceError('unexpected_error');
    };
    const answer = await head(`/v1/transcript?video_id=${freshVideo()}`);
    expect([answer.status, answer.headers['x-credits-charged']]).toEqual([404, '0']);
    expect(reads.harness.fetcher.asked).toMatchObject([{ request: { cacheOnly: true, waitMs: 0 } }]);
  });

  it('of work under way does not wait for it', async () => {
    const requestId = reads.harness.newId();
    reads.harness.fetcher.commands.pollRequest = async () => ({ state: 'pending', requestId });
    expect((await head(`/v1/transcript?request_id=${requestId}`)).status).toBe(202);
    expect(reads.harness.fetcher.asked).toMatchObject([{ request: { waitMs: 0 } }]);
  });
});

describe('compression', () => {
  const LARGE = 'Hello again, and again. '.repeat(500);
  const wire = async (method: string, search: string, accepted: string) => {
    const answer = await fetch(`${reads.harness.url}/v1/transcript?${search}`, {
      method,
      headers: { ...reads.account.bearer, 'accept-encoding': accepted },
    });
    return { answer, text: await answer.text() };
  };

  it.each(['', '&raw=1'])(
    'a cached transcript is the same file in every encoding, and to HEAD: %s',
    async (more) => {
      const video = { ...newDelivered('').video, id: freshVideo() };
      await reads.harness.cache(newDelivered(LARGE, { video }), LARGE);
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
        const headOnly = await wire('HEAD', search, encoding);
        for (const name of ['content-encoding', 'content-length', 'vary', 'content-type', 'x-cache'])
          expect([name, headOnly.answer.headers.get(name)]).toEqual([name, got.answer.headers.get(name)]);
      }
    },
  );

  it('never applies to answers with a secret', async () => {
    const made = await fetch(`${reads.harness.url}/v1/keys`, {
      method: 'POST',
      headers: { ...reads.account.bearer, 'content-type': 'application/json', 'accept-encoding': 'gzip, br' },
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
