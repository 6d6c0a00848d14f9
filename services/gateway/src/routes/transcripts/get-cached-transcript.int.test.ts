import { describe, expect, it } from '@jest/globals';
import { transcriptFetcher, utcDay } from '@tds/contracts';
import { transcriptBody } from '@tds/http-api';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import { redisKeys } from '../../redis/redis-keys.ts';
import { linkedBodies, newTranscript, newTranscriptFor, VIDEO_ID } from '../../test-support/builders.ts';
import { FILE, setUpReads } from '../../test-support/reads.ts';

const reads = setUpReads();
const { get, freshVideo } = reads;

describe('a cached transcript', () => {
  it('is answered from the projection at no charge, without a command', async () => {
    const delivered = newTranscript(FILE);
    await reads.harness.cache(delivered, FILE);
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
    expect(reads.harness.fetcher.asked).toEqual([]);
  });

  it('is a file with a name if raw is requested', async () => {
    await reads.harness.cache(newTranscript(FILE), FILE);
    const answer = await get(`/v1/transcript?video_id=${VIDEO_ID}&raw=1`);
    expect(answer.text).toBe(FILE);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="2009-10-25 - A.*\.en\.both\.txt/,
    );
  });

  it('as a file has its languages in the headers, from the fetcher, the projection and the memory alike', async () => {
    const language = { requested: 'fr', delivered: 'en', kind: 'asr', fallback: true } as const;
    const overrides = { language: { ...language, translation: 'unavailable' } } as const;
    const video = freshVideo();
    const asked = { videoId: video, language: 'fr', fallback: true, format: 'srt' } as const;
    reads.harness.storeFile(newTranscript(FILE), FILE);
    reads.harness.fetcher.commands.getTranscript = async () => newTranscriptFor(asked, FILE, overrides);
    const path = `/v1/transcript?video_id=${video}&language=fr&format=srt&raw=1`;
    const fromFetcher = await get(path);
    const fromMemory = await get(path);
    await reads.harness.cache(newTranscriptFor(asked, FILE, overrides), FILE);
    const other = await reads.harness.addGateway();
    const fromProjection = await request(other.url).get(path).set(reads.account.bearer);
    await other.stop();
    const expected = {
      'content-language': 'en',
      'x-transcript-language-requested': 'fr',
      'x-transcript-fallback': 'true',
      'x-transcript-translation': 'unavailable',
      'x-transcript-kind': 'asr',
    };
    for (const answer of [fromFetcher, fromMemory, fromProjection])
      expect(answer.headers).toMatchObject(expected);
    const caches = [fromFetcher, fromMemory, fromProjection].map(({ headers }) => headers['x-cache']);
    expect(caches).toEqual(['MISS', 'HIT', 'HIT']);
  });

  it('has its cues in the JSON for format json', async () => {
    const file = '[{"start":0,"duration":1.5,"text":"Hi"}]';
    const video = freshVideo();
    await reads.harness.cache(
      newTranscript(file, { format: 'json', video: { ...newTranscript('').video, id: video } }),
      file,
    );
    const { body } = await get(`/v1/transcript?video_id=${video}&format=json`);
    expect(transcriptBody.parse(body)).toMatchObject({ cues: JSON.parse(file) });
  });

  it('with another transcript in the projection is requested again', async () => {
    const video = freshVideo();
    const other = newTranscript('Other', {
      video: { ...newTranscript('').video, id: video },
      format: 'clean',
    });
    const place: [string, string, string, string] = [video, 'en', 'true', 'srt'];
    const { renderedSelection } = transcriptFetcher;
    await reads.harness.bodies.write(renderedSelection, place, other, ...linkedBodies(other, 'Other'));
    reads.harness.storeFile(newTranscript(FILE), FILE);
    reads.harness.fetcher.commands.getTranscript = async (asked) => newTranscriptFor(asked, FILE);
    const answer = await get(`/v1/transcript?video_id=${video}&format=srt&raw=1`);
    expect([answer.status, answer.text, answer.headers['x-cache']]).toEqual([200, FILE, 'MISS']);
  });

  it('is the same for every tag of its language, however many are invented', async () => {
    await reads.harness.cache(newTranscript(FILE), FILE);
    for (const tag of ['en-x-a1', 'en-x-a2', 'EN-u-nu-latn', 'en-t-es']) {
      const answer = await get(`/v1/transcript?video_id=${VIDEO_ID}&language=${tag}`);
      expect([answer.headers['x-cache'], answer.body.language.requested]).toEqual(['HIT', 'en']);
    }
    expect(reads.harness.fetcher.asked).toEqual([]);
  });

  it('is the same for every spelling of its list of languages, and is kept in memory', async () => {
    const video = { ...newTranscript('').video, id: freshVideo() };
    const language = { ...newTranscript('').language, requested: 'de,orig,en' };
    await reads.harness.cache(newTranscript(FILE, { video, language }), FILE);
    for (const list of ['de,orig,en', 'DE,%20Orig,en', 'de,orig,en,de']) {
      const answer = await get(`/v1/transcript?video_id=${video.id}&language=${list}`);
      expect([answer.headers['x-cache'], answer.body.language.requested]).toEqual(['HIT', 'de,orig,en']);
    }
    const raw = await get(`/v1/transcript?video_id=${video.id}&language=de,orig,en&raw=1`);
    expect(raw.headers).toMatchObject({
      'content-language': 'en',
      'x-transcript-language-requested': 'de,orig,en',
      'x-transcript-fallback': 'false',
    });
    expect(reads.harness.fetcher.asked).toEqual([]);
  });

  it('with a file too large for the cache, or evicted, comes from the object store without a command', async () => {
    const video = freshVideo();
    const delivered = newTranscript(FILE, { video: { ...newTranscript('').video, id: video } });
    reads.harness.storeFile(delivered, FILE);
    await reads.harness.bodies.write(
      transcriptFetcher.renderedSelection,
      [video, 'en', 'true', 'both'],
      delivered,
      ...linkedBodies(delivered, null),
    );
    const answer = await get(`/v1/transcript?video_id=${video}&raw=1`);
    expect([answer.status, answer.text, answer.headers['x-cache']]).toEqual([200, FILE, 'HIT']);
    expect(reads.harness.fetcher.asked).toEqual([]);
  });

  it('has the long facts of its video, which are kept once beside small heads', async () => {
    const facts = { description: 'd'.repeat(5_000), tags: ['harbour'], view_count: 7 };
    const video = { ...newTranscript('').video, ...facts, id: freshVideo() };
    const delivered = newTranscript('Said', { video });
    await reads.harness.cache(delivered, 'Said');
    const answer = await get(`/v1/transcript?video_id=${video.id}`);
    expect([answer.headers['x-cache'], answer.body.video]).toEqual(['HIT', video]);
    expect(reads.harness.fetcher.asked).toEqual([]);
  });

  it('is requested again if these facts are lost', async () => {
    const delivered = newTranscript(FILE, { video: { ...newTranscript('').video, id: freshVideo() } });
    const place: [string, string, string, string] = [delivered.video.id, 'en', 'true', 'both'];
    const [file] = linkedBodies(delivered, FILE);
    await reads.harness.bodies.write(transcriptFetcher.renderedSelection, place, delivered, file);
    reads.harness.storeFile(delivered, FILE);
    const hit = { cache: 'HIT', creditsCharged: 0 } as const;
    reads.harness.fetcher.commands.getTranscript = async (asked) => newTranscriptFor(asked, FILE, hit);
    const answer = await get(`/v1/transcript?video_id=${delivered.video.id}`);
    expect([answer.status, answer.headers['x-cache'], answer.body.text]).toEqual([200, 'HIT', FILE]);
    expect(reads.harness.fetcher.asked).toHaveLength(1);
  });

  it('lost by the object store is requested from the fetcher, and counts as one read', async () => {
    const video = freshVideo();
    const delivered = newTranscript('lost', { video: { ...newTranscript('').video, id: video } });
    await reads.harness.bodies.write(
      transcriptFetcher.renderedSelection,
      [video, 'en', 'true', 'both'],
      delivered,
      ...linkedBodies(delivered, null),
    );
    reads.harness.storeFile(newTranscript(FILE), FILE);
    const hit = { cache: 'HIT', creditsCharged: 0 } as const;
    reads.harness.fetcher.commands.getTranscript = async (asked) => newTranscriptFor(asked, FILE, hit);
    const answer = await get(`/v1/transcript?video_id=${video}&raw=1`);
    expect([answer.status, answer.text, answer.headers['x-cache']]).toEqual([200, FILE, 'HIT']);
    const { accountId, keyId } = reads.account.principal;
    const counter = redisKeys.reads(accountId, utcDay(new Date()), String(keyId));
    await eventually(async () => expect(Number(await reads.harness.redis.get(counter))).toBe(1));
  });

  it('stays in memory: a second read needs neither projection nor command', async () => {
    const video = freshVideo();
    const delivered = newTranscript(FILE, { video: { ...newTranscript('').video, id: video } });
    await reads.harness.cache(delivered, FILE);
    const first = await get(`/v1/transcript?video_id=${video}`);
    await reads.harness.redis.flushdb();
    await reads.harness.keepFresh();
    const second = await get(`/v1/transcript?video_id=${video}`);
    expect(second.text).toBe(first.text);
    expect(second.headers['x-cache']).toBe('HIT');
    expect(reads.harness.fetcher.asked).toEqual([]);
  });
});
