import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transcriptFetcher, unknownVideo, type VideoDetails } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { freshVideo, openTables, type Tables } from '../../test-support/tables.ts';
import { type VideoRow, videoRow } from './transcripts.ts';
import { findVideoFacts } from './videos.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const later = new Date('2026-11-20T13:00:00.000Z');
const [nowText, laterText] = ['2026-11-20 12:00:00', '2026-11-20 13:00:00'];
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
  await save(videoRow(inspected, { status: 'fetched', selected: track, fetchedAt: at }, at));
};
const failed = (
  id: string,
  findings: Parameters<typeof videoRow>[1] = { status: 'error', errorClass: 'IpBlocked' },
  at = later,
) =>
  save(videoRow({ video: unknownVideo(id), tracks: [], languages: null }, { ...findings, fetchedAt: at }, at));
const unavailable = { status: 'unavailable', errorClass: 'Unavailable', fact } as const;
const factsOf = (id: string) => findVideoFacts(tables.db, id);

describe('the facts of a video', () => {
  it('are unknown if it was never requested', async () => {
    const id = freshVideo();
    const facts = await factsOf(id);
    expect(transcriptFetcher.getVideoFacts.reply.parse(facts)).toEqual(facts);
    expect(facts).toEqual({
      video: { ...unknownVideo(id), status: 'unknown', error_class: null, fetched_at: null },
      ...{ cached_languages: [], caption_tracks: [], original_language: null, selected: null },
    });
  });

  it('are those of a delivery, with its tracks in one order, and times as in the specification', async () => {
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
    const facts = await factsOf(id);
    expect(transcriptFetcher.getVideoFacts.reply.parse(facts)).toEqual(facts);
    const cached_at = now.toISOString();
    expect(facts).toEqual({
      ...{
        video: { ...unknownVideo(id), ...details, status: 'fetched', error_class: null, fetched_at: nowText },
        caption_tracks: [english],
        original_language: 'en',
      },
      cached_languages: [
        { language_code: 'de', kind: 'manual', translated: true, cached_at },
        { language_code: 'en', kind: 'asr', translated: false, cached_at },
        { language_code: 'en', kind: 'manual', translated: false, cached_at },
      ],
      selected: { language_code: 'en', kind: 'manual' },
    });
  });

  it('have no error class for a video without captions, which is no failure', async () => {
    const id = freshVideo();
    await failed(id, { status: 'no_captions', errorClass: 'NoCaptions' });
    expect(await factsOf(id)).toMatchObject({ video: { status: 'no_captions', error_class: null } });
  });

  it('call every kind but the automatic one manual', async () => {
    const id = freshVideo();
    await fetched(id);
    await tables.query("UPDATE videos SET selected_kind = 'forced' WHERE id = $1", [id]);
    expect(await factsOf(id)).toMatchObject({ selected: { language_code: 'en', kind: 'manual' } });
  });

  it('grow: a missing value replaces nothing, a newer value replaces an older one', async () => {
    const id = freshVideo();
    await fetched(id);
    await fetched(id, { title: null, duration: 62 }, later);
    expect(await factsOf(id)).toMatchObject({
      video: { title: 'A title', duration: 62, fetched_at: laterText },
    });
    await failed(id, unavailable);
    expect(await factsOf(id)).toMatchObject({
      ...{ video: { title: 'A title', duration: 62 }, caption_tracks: [english] },
      selected: { language_code: 'en' },
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
    expect(await factsOf(id)).toMatchObject({
      video: { status: 'fetched', error_class: null, fetched_at: nowText },
    });
  });

  it('include a fact from its own time, even after a delivery, until the next delivery', async () => {
    const id = freshVideo();
    await fetched(id);
    await failed(id, unavailable);
    expect(await factsOf(id)).toMatchObject({
      video: { status: 'unavailable', error_class: 'Unavailable', fetched_at: laterText },
    });
    await fetched(id);
    expect(await factsOf(id)).toMatchObject({
      video: { status: 'fetched', error_class: null, fetched_at: nowText },
    });
    expect(await tables.query('SELECT fact, fact_expires_at AS ends FROM videos WHERE id = $1', [id])).toEqual([
      { fact: null, ends: null },
    ]);
  });

  it('are those of the last failure if there was no delivery: an error clears a fact', async () => {
    const id = freshVideo();
    await failed(id, unavailable, now);
    await failed(id);
    expect(await factsOf(id)).toMatchObject({
      video: { status: 'error', error_class: 'IpBlocked', fetched_at: laterText },
    });
    expect(await tables.query('SELECT fact FROM videos WHERE id = $1', [id])).toEqual([{ fact: null }]);
  });

  it('are one row if many writers save them at once', async () => {
    const id = freshVideo();
    await Promise.all([fetched(id), failed(id), fetched(id), failed(id), fetched(id)]);
    expect(await factsOf(id)).toMatchObject({ video: { status: 'fetched', fetched_at: nowText } });
  });
});
