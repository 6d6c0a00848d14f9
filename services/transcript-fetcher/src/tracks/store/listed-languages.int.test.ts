import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshVideo, openTables, type Tables } from '../../test-support/tables.ts';
import { lookUpCache } from './cache.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

const now = new Date();
const soon = new Date(now.getTime() + 60_000);
const past = new Date(now.getTime() - 60_000);

/** The delivered code for a list; `cold` if the cache knows no answer, or the error of a strict request. */
const answerTo = async (videoId: string, language: string, fallback = true): Promise<string> => {
  const known = await lookUpCache(tables.sql, { videoId, language, fallback, format: 'srt' }, now);
  if (known.kind === 'hit') return `${known.hit.transcript.languageCode} ${known.hit.choice.translation}`;
  return known.kind === 'failed' ? known.error.code : 'cold';
};

/** A video with a native track per language, and languages without one. */
const videoWith = async ({ native = [], missing = [] }: { native?: string[]; missing?: string[] }) => {
  const video_id = freshVideo();
  for (const language of native) {
    const transcript_id = await tables.add.transcript({ video_id, language_code: language, kind: 'asr' });
    await tables.add.selection({ video_id, language, transcript_id });
  }
  for (const language of missing) {
    const absent = { transcript_id: null, is_fallback: true, translation: 'unavailable' };
    await tables.add.selection({ video_id, language, ...absent });
  }
  return video_id;
};

describe('a list of languages', () => {
  it('is answered by the first of its languages with a native track, if those before it are known to have none', async () => {
    const videoId = await videoWith({ native: ['en', 'fr'], missing: ['de'] });
    expect(await answerTo(videoId, 'en,de')).toBe('en not_requested');
    expect(await answerTo(videoId, 'de,fr,en')).toBe('fr not_requested');
    expect(await answerTo(videoId, 'de,en', false)).toBe('en not_requested');
  });

  it('is cold if an earlier language is unknown, or none of them is native', async () => {
    const videoId = await videoWith({ native: ['en'], missing: ['de', 'fr'] });
    expect(await answerTo(videoId, 'ja,en')).toBe('cold');
    expect(await answerTo(videoId, 'de,fr')).toBe('cold');
    expect(await answerTo(videoId, 'de,ja,en')).toBe('cold');
  });

  it('passes over translations and fallbacks, but not over a language whose answer has expired', async () => {
    const videoId = await videoWith({ native: ['en'] });
    const transcript_id = await tables.add.transcript({
      video_id: videoId,
      language_code: 'es',
      translated: true,
    });
    const served = { video_id: videoId, language: 'es', transcript_id, translation: 'served' };
    await tables.add.selection(served);
    expect(await answerTo(videoId, 'es,en')).toBe('en not_requested');
    const refused = { video_id: videoId, is_fallback: true, translation: 'refused', transcript_id: null };
    await tables.add.selection({ ...refused, language: 'it', expires_at: past });
    await tables.add.selection({ ...refused, language: 'nl', expires_at: soon });
    expect(await answerTo(videoId, 'nl,en')).toBe('en not_requested');
    expect(await answerTo(videoId, 'it,en')).toBe('cold');
  });

  it('knows a manual track in exactly a language of it without a selection', async () => {
    const video_id = freshVideo();
    await tables.add.transcript({ video_id, language_code: 'pt-BR' });
    expect(await answerTo(video_id, 'pt-BR,en')).toBe('pt-BR not_requested');
    expect(await answerTo(video_id, 'en,pt-BR')).toBe('cold');
  });

  it('is answered by its own selection before all others', async () => {
    const videoId = await videoWith({ native: ['en', 'fr'], missing: ['de'] });
    const { id } = (
      await tables.query<{ id: string }>(
        `SELECT id FROM transcripts WHERE video_id = $1 AND language_code = 'fr'`,
        [videoId],
      )
    )[0] ?? { id: null };
    const own = { video_id: videoId, transcript_id: id, is_fallback: true, translation: 'unavailable' };
    await tables.add.selection({ ...own, language: 'de,en' });
    expect(await answerTo(videoId, 'de,en')).toBe('fr unavailable');
    expect(await answerTo(videoId, 'de,en', false)).toBe('language_unavailable');
  });
});
