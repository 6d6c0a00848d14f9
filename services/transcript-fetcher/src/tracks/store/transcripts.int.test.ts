import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unknownVideo } from '@tds/contracts';
import { freshVideo, openTables, type Tables } from '../../test-support/tables.ts';
import { findTranscripts } from './cache.ts';
import { findRenderedKeys, listCachedVideos, moveCues, saveRenderedFile, selectionRow } from './transcripts.ts';

const later = new Date('2026-11-20T13:00:00.000Z');
let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

describe('a list of videos', () => {
  it('returns those with a transcript in the requested order, with the language that is spoken', async () => {
    const [one, other, none] = [freshVideo(), freshVideo(), freshVideo()];
    for (const video_id of [other, one]) await tables.add.transcript({ video_id });
    const seen = await listCachedVideos(tables.sql, [one, none, other, one]);
    expect(seen.map(({ id }) => id)).toEqual([one, other, one]);
    await tables.add.video({ id: one, original_language: 'en' });
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

  it('keeps the video details of its fetch, whatever later fetches find', async () => {
    const video_id = freshVideo();
    await tables.add.video({ id: video_id, title: 'Now' });
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
