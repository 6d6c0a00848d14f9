import { randomUUID } from 'node:crypto';
import { serviceError } from '@tds/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshVideo, openTables, type Tables } from '../test-support/tables.ts';
import { findBatchRows, findRendered, findSelections } from './batch-rows.ts';
import { findCached } from './cache.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const error = serviceError('video_unavailable').data;
let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

const wanted = { language: 'en', format: 'srt' } as const;
const cachedOf = (videoId: string, given: { language?: string; format?: 'srt' | 'md' } = {}) =>
  findCached(tables.sql, { ...wanted, videoId, ...given });
const rowsOf = (...rows: { operationId: string; videoId: string }[]) =>
  findBatchRows(tables.sql, rows, wanted);
/** A video with a manual English track that is rendered as SRT, and a language that leads to it. */
const cachedVideo = async (selection: Record<string, unknown> | null = {}) => {
  const videoId = freshVideo();
  const id = await tables.add.transcript({ video_id: videoId, cached_at: now, object_key: 'cues/a' });
  await tables.add.file({ transcript_id: id, object_key: 'rendered/a/srt', bytes: 7, crc32: 4_000_000_000 });
  if (selection) await tables.add.selection({ video_id: videoId, transcript_id: id, ...selection });
  return { videoId, id };
};
const srt = { objectKey: 'rendered/a/srt', bytes: 7, sha256: 'x' };

describe('what the cache knows of a language of a video', () => {
  it('is nothing of a video that nobody has asked for', async () => {
    const videoId = freshVideo();
    const unknown = {
      title: null,
      channel_id: null,
      channel_title: null,
      published_at: null,
      duration: null,
    };
    expect(await cachedOf(videoId)).toEqual({
      ...{ video: { id: videoId, ...unknown }, fact: null },
      ...{ selection: null, transcript: null, rendered: null },
    });
  });

  it('is the transcript that it leads to, with its file in the format that is wanted', async () => {
    const { videoId, id } = await cachedVideo();
    expect(await cachedOf(videoId)).toMatchObject({
      selection: { isFallback: false, translation: 'not_requested', available: ['en'], expiresAt: null },
      transcript: { id, videoId, languageCode: 'en', kind: 'manual', cuesKey: 'cues/a', cachedAt: now },
      rendered: srt,
    });
    expect(await cachedOf(videoId, { format: 'md' })).toMatchObject({ transcript: { id }, rendered: null });
  });

  it('is the manual track in exactly this language for the first who asks, and no other track', async () => {
    const { videoId, id } = await cachedVideo(null);
    expect(await cachedOf(videoId)).toMatchObject({
      transcript: { id },
      selection: { isFallback: false, translation: 'not_requested', available: [] },
    });
    expect(await cachedOf(videoId, { language: 'en-GB' })).toMatchObject({
      selection: null,
      transcript: null,
    });
    for (const given of [{ kind: 'asr' }, { translated: true }]) {
      const other = freshVideo();
      await tables.add.transcript({ video_id: other, ...given });
      expect(await cachedOf(other)).toMatchObject({ selection: null, transcript: null });
    }
  });

  it('is what it was found to lead to, though there is a track of its name', async () => {
    const { videoId, id } = await cachedVideo({
      transcript_id: null,
      is_fallback: true,
      translation: 'refused',
    });
    expect(await cachedOf(videoId)).toMatchObject({
      selection: { translation: 'refused' },
      transcript: null,
    });
    const asr = await tables.add.transcript({ video_id: videoId, kind: 'asr', object_key: 'cues/b' });
    await tables.add.selection({ video_id: videoId, language: 'de', transcript_id: asr, is_fallback: true });
    expect((await cachedOf(videoId, { language: 'de' })).transcript?.id).toBe(asr);
    expect(asr).not.toBe(id);
  });

  it('says of the video what the transcript kept, and what is known now only where it kept nothing', async () => {
    const { videoId, id } = await cachedVideo();
    await tables.add.video({ id: videoId, title: 'A title of today', duration: 9 });
    expect((await cachedOf(videoId)).video).toMatchObject({ title: 'A title of today', duration: 9 });
    const kept = { title: 'A title of then', channel_id: null, channel_title: null, published_at: null };
    await tables.query('UPDATE transcripts SET video = $2 WHERE id = $1', [id, { ...kept, duration: null }]);
    const { video, transcript } = await cachedOf(videoId);
    expect(video).toEqual({ id: videoId, ...kept, duration: null });
    expect(transcript?.video).toEqual(video);
  });

  it('comes with the fact about the video, and when it ends', async () => {
    const videoId = freshVideo();
    await tables.add.video({ id: videoId, fact: error, fact_expires_at: now, status: 'unavailable' });
    expect((await cachedOf(videoId)).fact).toEqual({ error, expiresAt: now, retryAt: null });
  });
});

describe('the rows of a batch', () => {
  it('are each their own operation and the cache, in the order in which they were sent, also one video twice', async () => {
    const { videoId, id } = await cachedVideo();
    const cold = freshVideo();
    const operationId = await tables.add.operation({ video_id: cold, settlement: 'by_caller' });
    const sent = [cold, videoId, cold].map((each) => ({ operationId: randomUUID(), videoId: each }));
    const [first, second, third] = await rowsOf({ operationId, videoId: cold }, ...sent.slice(1));
    expect(first).toMatchObject({
      operationId,
      operation: { state: 'reserving', charge: 0, error: null },
      entry: { transcript: null },
    });
    expect(second).toMatchObject({
      ...sent[1],
      operation: null,
      entry: { transcript: { id }, rendered: srt },
    });
    expect(third).toMatchObject({ ...sent[2], operation: null, entry: { transcript: null } });
  });

  it('that have been delivered are what was delivered, whatever the language leads to by now', async () => {
    const { videoId } = await cachedVideo();
    const asr = await tables.add.transcript({ video_id: videoId, kind: 'asr' });
    const operationId = await tables.add.operation({
      ...{ video_id: videoId, state: 'delivered', settlement: 'by_caller', transcript_id: asr },
      ...{ charge: 1, is_fallback: true, translation: 'served' },
    });
    expect(await rowsOf({ operationId, videoId })).toMatchObject([
      {
        operation: { state: 'delivered', charge: 1, isFallback: true, translation: 'served' },
        entry: { transcript: { id: asr, kind: 'asr' }, rendered: null },
      },
    ]);
  });

  it('that have failed say with what', async () => {
    const videoId = freshVideo();
    const operationId = await tables.add.operation({ video_id: videoId, state: 'failed', error });
    expect(await rowsOf({ operationId, videoId })).toMatchObject([{ operation: { state: 'failed', error } }]);
  });

  it('are none for none', async () => {
    expect(await rowsOf()).toEqual([]);
  });

  it('are found as the cache is found for one video', async () => {
    const some = [
      (await cachedVideo()).videoId,
      (await cachedVideo(null)).videoId,
      (await cachedVideo({ is_fallback: true, translation: 'unavailable', expires_at: now })).videoId,
      freshVideo(),
    ];
    const found = await rowsOf(...some.map((videoId) => ({ operationId: randomUUID(), videoId })));
    expect(found.map(({ entry }) => entry)).toEqual(await Promise.all(some.map((id) => cachedOf(id))));
    const selections = await findSelections(tables.sql, some, 'en');
    expect(selections).toEqual(found.map(({ entry }) => ({ ...entry, rendered: null })));
  });
});

describe('transcripts whose files are wanted', () => {
  it('come with the file in one format, if there is one, and with what archives need of it', async () => {
    const [{ id, videoId }, other] = [await cachedVideo(null), await tables.add.transcript()];
    const found = await findRendered(tables.sql, [id, other, randomUUID()], 'srt');
    expect(found).toHaveLength(2);
    expect(found.find(({ transcript }) => transcript.id === id)).toMatchObject({
      transcript: { videoId, cuesKey: 'cues/a' },
      rendered: { ...srt, format: 'srt', crc32: 4_000_000_000 },
    });
    expect(found.find(({ transcript }) => transcript.id === other)?.rendered).toBeNull();
    expect(await findRendered(tables.sql, [id], 'md')).toMatchObject([{ rendered: null }]);
  });
});
