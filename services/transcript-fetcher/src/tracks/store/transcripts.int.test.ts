import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unknownVideo, type VideoDetails } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { findTranscripts } from '../../reads/store/cache.ts';
import { freshVideo, openTables, type Tables } from '../../test-support/tables.ts';
import {
  type FailedVideo,
  failedVideoRow,
  fetchedVideoRow,
  findRenderedKeys,
  findVideoFacts,
  listCachedVideos,
  moveCues,
  saveRenderedFile,
  selectionRow,
  type VideoRow,
} from './transcripts.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const later = new Date('2026-11-20T13:00:00.000Z');
const gone = serviceError('video_unavailable').data;
const fact = { error: gone, expiresAt: later, retryAt: null };
let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

const details = { title: 'A title', duration: 61 };
const english = { language_code: 'en', kind: 'manual', name: 'English' } as const;
const save = (row: VideoRow) => tables.query('SELECT save_videos($1)', [JSON.stringify([row])]);
/** Saves a delivery. */
const fetched = async (id: string, given: Partial<VideoDetails> = {}, at = now) => {
  const track = { videoId: id, languageCode: 'en', kind: 'manual', translated: false } as const;
  const languages = { original: 'en', isTranslatable: true };
  const inspected = { video: { ...unknownVideo(id), ...details, ...given }, tracks: [english], languages };
  await save(fetchedVideoRow(inspected, track, at));
};
const failed = (id: string, given: Partial<FailedVideo> = {}) =>
  save(
    failedVideoRow({
      video: unknownVideo(id),
      tracks: [],
      languages: null,
      status: 'error',
      errorClass: 'IpBlocked',
      fact: null,
      now: later,
      ...given,
    }),
  );
const unavailable = { status: 'unavailable', errorClass: 'Unavailable', fact } as const;
const factsOf = (id: string) => findVideoFacts(tables.db, id);

describe('the facts of a video', () => {
  it('are unknown if it was never requested', async () => {
    expect(await factsOf(freshVideo())).toBeNull();
  });

  it('are those of a delivery, with its tracks in one order', async () => {
    const id = freshVideo();
    await fetched(id);
    for (const [language_code, kind] of [
      ['en', 'manual'],
      ['de', 'manual'],
      ['en', 'asr'],
    ])
      await tables.add.transcript({
        ...{ video_id: id, language_code, kind, cached_at: now, translated: language_code === 'de' },
      });
    expect(await factsOf(id)).toEqual({
      ...{
        video: { ...unknownVideo(id), ...details },
        status: 'fetched',
        errorClass: null,
        fetchedAt: now,
        tracks: [english],
        originalLanguage: 'en',
      },
      cached: [
        { languageCode: 'de', kind: 'manual', translated: true, cachedAt: now },
        { languageCode: 'en', kind: 'asr', translated: false, cachedAt: now },
        { languageCode: 'en', kind: 'manual', translated: false, cachedAt: now },
      ],
      selected: { languageCode: 'en', kind: 'manual' },
    });
  });

  it('grow: a missing value replaces nothing, a newer value replaces an older one', async () => {
    const id = freshVideo();
    await fetched(id);
    await fetched(id, { title: null, duration: 62 }, later);
    expect(await factsOf(id)).toMatchObject({ video: { title: 'A title', duration: 62 }, fetchedAt: later });
    await failed(id, unavailable);
    expect(await factsOf(id)).toMatchObject({
      ...{ video: { title: 'A title', duration: 62 }, tracks: [english] },
      selected: { languageCode: 'en' },
    });
  });

  it('have the chapters of their newest description, also none', async () => {
    const id = freshVideo();
    const chapters = [0, 60, 120].map((start) => ({ start, title: 'An item' }));
    await fetched(id, { description: 'With a list', chapters, tags: [], view_count: 3_000_000_000 });
    await fetched(id, { description: null });
    expect(await factsOf(id)).toMatchObject({
      video: { description: 'With a list', chapters, tags: [], view_count: 3_000_000_000 },
    });
    await fetched(id, { description: 'Without one', view_count: 3_000_000_001 });
    expect(await factsOf(id)).toMatchObject({
      video: { description: 'Without one', chapters: null, tags: [], view_count: 3_000_000_001 },
    });
  });

  it('stay those of its delivery, with its time, after a failure that is no fact', async () => {
    const id = freshVideo();
    await fetched(id);
    await failed(id);
    expect(await factsOf(id)).toMatchObject({ status: 'fetched', errorClass: null, fetchedAt: now });
  });

  it('include a fact from the time it was learnt, even after a delivery, until the next delivery', async () => {
    const id = freshVideo();
    await fetched(id);
    await failed(id, unavailable);
    expect(await factsOf(id)).toMatchObject({
      status: 'unavailable',
      errorClass: 'Unavailable',
      fetchedAt: later,
    });
    await fetched(id);
    expect(await factsOf(id)).toMatchObject({ status: 'fetched', errorClass: null, fetchedAt: now });
    expect(await tables.query('SELECT fact, fact_expires_at AS ends FROM videos WHERE id = $1', [id])).toEqual([
      { fact: null, ends: null },
    ]);
  });

  it('are those of the last failure if there was no delivery: an error clears a fact', async () => {
    const id = freshVideo();
    await failed(id, { ...unavailable, now });
    await failed(id);
    expect(await factsOf(id)).toMatchObject({ status: 'error', errorClass: 'IpBlocked', fetchedAt: later });
    expect(await tables.query('SELECT fact FROM videos WHERE id = $1', [id])).toEqual([{ fact: null }]);
  });

  it('are one row if many writers save them at once', async () => {
    const id = freshVideo();
    await Promise.all([fetched(id), failed(id), fetched(id), failed(id), fetched(id)]);
    expect(await factsOf(id)).toMatchObject({ status: 'fetched', fetchedAt: now });
  });
});

describe('a list of videos', () => {
  it('returns those with a transcript in the requested order, with the language that is spoken', async () => {
    const [one, other, none] = [freshVideo(), freshVideo(), freshVideo()];
    for (const video_id of [other, one]) await tables.add.transcript({ video_id });
    const seen = await listCachedVideos(tables.sql, [one, none, other, one]);
    expect(seen.map(({ id }) => id)).toEqual([one, other, one]);
    await fetched(one);
    expect(await listCachedVideos(tables.sql, [one, other])).toMatchObject([
      { id: one, original_language: 'en' },
      { id: other, original_language: null },
    ]);
  });
});

describe('a cached transcript', () => {
  const file = {
    format: 'srt',
    objectKey: 'rendered/a/srt',
    bytes: 7,
    sha256: 'x',
    crc32: 4_000_000_000,
  } as const;

  it('keeps the video details of its fetch, whatever is learnt later', async () => {
    const video_id = freshVideo();
    await fetched(video_id);
    const then = { ...unknownVideo(video_id), title: 'Then' };
    const id = await tables.add.transcript({ video_id, kind: 'asr', video: then, strategy: 'web' });
    expect(await findTranscripts(tables.sql, [id, randomUUID()], 'srt')).toMatchObject([
      {
        transcript: { id, kind: 'asr', strategy: 'web', cuesKey: 'cues/x', video: then },
        file: null,
      },
    ]);
    await saveRenderedFile(tables.db, id, file);
    expect(await findTranscripts(tables.sql, [id], 'srt')).toMatchObject([{ file }]);
    expect(await findTranscripts(tables.sql, [id], 'md')).toMatchObject([{ file: null }]);
  });

  it('keeps the first file of a format if it is rendered twice at once', async () => {
    const id = await tables.add.transcript();
    const other = { ...file, objectKey: 'rendered/other' };
    await saveRenderedFile(tables.db, id, file);
    const kept = Promise.all([saveRenderedFile(tables.db, id, other), saveRenderedFile(tables.db, id, other)]);
    expect(await kept).toEqual([file.objectKey, file.objectKey]);
    expect(await findRenderedKeys(tables.db, id, { unlessCuesKey: 'cues/new' })).toEqual([file.objectKey]);
  });

  it('loses the files rendered from other cues if its cues change; else it keeps them', async () => {
    const [id, beside] = [await tables.add.transcript(), await tables.add.transcript()];
    for (const each of [id, beside]) await saveRenderedFile(tables.db, each, file);
    const keys = (unlessCuesKey: string) => findRenderedKeys(tables.db, id, { unlessCuesKey });
    expect([await keys('cues/x'), await keys('cues/new')]).toEqual([[], [file.objectKey]]);
    await moveCues(tables.db, id, 'cues/x');
    expect(await keys('cues/new')).toEqual([file.objectKey]);
    for (const _ of ['once', 'again after a crash']) await moveCues(tables.db, id, 'cues/new');
    expect(await keys('')).toEqual([]);
    expect(await findTranscripts(tables.sql, [id], 'srt')).toMatchObject([
      { transcript: { cuesKey: 'cues/new' }, file: null },
    ]);
    expect(await findRenderedKeys(tables.db, beside, { unlessCuesKey: '' })).toEqual([file.objectKey]);
  });
});

it('a selection holds the latest result', async () => {
  const videoId = freshVideo();
  const transcriptId = await tables.add.transcript({ video_id: videoId });
  const saveSelection = (row: ReturnType<typeof selectionRow>) =>
    tables.query('SELECT save_selections($1)', [JSON.stringify([row])]);
  const key = { videoId, language: 'en', transcriptId };
  const refused = { isFallback: true, translation: 'refused', available: ['de'], expiresAt: later } as const;
  await saveSelection(selectionRow({ ...key, transcriptId: null }, refused));
  const led = { isFallback: false, translation: 'served', available: ['de', 'en'], expiresAt: null } as const;
  await saveSelection(selectionRow(key, led));
  const rows = await tables.query(
    'SELECT transcript_id, is_fallback, translation, available, expires_at FROM selections WHERE video_id = $1',
    [videoId],
  );
  expect(rows).toEqual([
    {
      ...{ transcript_id: transcriptId, is_fallback: false, translation: 'served' },
      ...{ available: ['de', 'en'], expires_at: null },
    },
  ]);
});
