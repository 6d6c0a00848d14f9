import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { transcriptBody } from '@tds/http-api';
import { newTranscript, VIDEO_ID } from '../../test-support/builders.ts';
import { FILE, setUpReads } from '../../test-support/reads.ts';

const reads = setUpReads();
const { get, head, freshVideo } = reads;

describe('HEAD', () => {
  it('of a cached transcript answers the headers of GET, at no charge', async () => {
    await reads.harness.cache(newTranscript(FILE), FILE);
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
      const video = { ...newTranscript('').video, id: freshVideo() };
      await reads.harness.cache(newTranscript(LARGE, { video }), LARGE);
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

describe('passages', () => {
  const captions = Array.from({ length: 60 }, (_, at) => ({
    ...{ start: at * 2, duration: 2, text: `Sentence ${at} of a talk` },
    ...(at % 2 === 1 && { text: 'ends here.' }),
  }));
  const file = JSON.stringify(captions);
  const newWords = () => ({
    format: 'words' as const,
    video: { ...newTranscript('').video, id: freshVideo() },
  });
  const search = (id: string) => `/v1/transcript?video_id=${id}&format=json&passages=true`;

  it('stand beside the cues of a cached transcript, with links to their seconds', async () => {
    const words = newWords();
    await reads.harness.cache(newTranscript(file, words), file);
    await reads.harness.cache(newTranscript(file, { ...words, format: 'json' }), file);
    const plain = await get(`/v1/transcript?video_id=${words.video.id}&format=json`);
    const { body, headers } = await get(search(words.video.id));
    const { passages, ...others } = transcriptBody.parse(body) as {
      passages: { url: string; text: string }[];
    };
    expect(others).toEqual(plain.body);
    expect(passages.length).toBeGreaterThan(1);
    expect(passages.map(({ text }) => text).join(' ')).toBe(captions.map(({ text }) => text).join(' '));
    expect(passages[0]?.url).toBe(`https://www.youtube.com/watch?v=${words.video.id}&t=0s`);
    expect(headers).toMatchObject({ 'x-cache': 'HIT', 'x-credits-charged': '0' });
    expect((await get(`/v1/transcript?video_id=${words.video.id}&format=json`)).text).toBe(plain.text);
  });

  it('have the size that each reader asks for', async () => {
    const words = newWords();
    await reads.harness.cache(newTranscript(file, words), file);
    for (const size of [200, 1_000, 200]) {
      const { body } = await get(`${search(words.video.id)}&passage_characters=${size}`);
      const longest = Math.max(...body.passages.map(({ text }: { text: string }) => text.length));
      expect(longest).toBeLessThanOrEqual(size);
      expect(longest).toBeGreaterThan(size / 3);
    }
  });

  it('come with a new transcript, and with a poll at the address that the 202 names', async () => {
    const words = newWords();
    const requestId = reads.harness.newId();
    const { commands } = reads.harness.fetcher;
    commands.getTranscript = commands.pollRequest = async () => ({ state: 'pending', requestId });
    const pending = await get(`${search(words.video.id)}&passage_characters=300`);
    expect(pending.body.poll_url).toBe(
      `/v1/transcript?request_id=${requestId}&format=json&passages=true&passage_characters=300`,
    );
    commands.pollRequest = async () => ({
      ...newTranscript(file, words),
      ...{ cache: 'MISS' as const, creditsCharged: 1, text: file },
    });
    const { body, headers } = await get(pending.body.poll_url);
    expect(headers).toMatchObject({ 'x-cache': 'MISS', 'x-credits-charged': '1' });
    expect(body.passages.length).toBeGreaterThan(3);
  });

  it.each([
    ['format=srt&passages=true', 'invalid_passages'],
    ['passages=true', 'invalid_passages'],
    ['format=json&raw=1&passages=true', 'invalid_passages'],
    ['format=json&passage_characters=300', 'invalid_passage_characters'],
  ])('are refused with %s, which costs and counts nothing', async (more, code) => {
    const words = newWords();
    const answer = await get(`/v1/transcript?video_id=${words.video.id}&${more}`);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(reads.harness.fetcher.asked).toEqual([]);
  });
});
