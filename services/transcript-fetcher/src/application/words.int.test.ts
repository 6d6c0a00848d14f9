import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cue, type TranscriptAnswer, transcriptFetcher } from '@tds/contracts';
import { startFetcher } from '../test-support/start-fetcher.ts';
import { packCues } from './make-track.ts';

let fetcher: Awaited<ReturnType<typeof startFetcher>>;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());

type Entry = { text: string; start: number; words?: { start: number; text: string }[] | null };

const read = async (answer: TranscriptAnswer): Promise<Entry[]> => {
  if (answer.state !== 'delivered') throw new Error('not delivered');
  const file = await fetcher.bodies().readBody(transcriptFetcher.renderedFile, [answer.sha256]);
  return JSON.parse(String(file));
};

const findCuesKey = async (videoId: string): Promise<string> => {
  const query = 'SELECT object_key FROM transcripts WHERE video_id = $1';
  const [row] = await fetcher.query<{ object_key: string }>(query, [videoId]);
  return String(row?.object_key);
};

/** As the release before stored the cues of a video. */
const removeStoredWords = async (videoId: string): Promise<void> => {
  const { objects } = fetcher.kit();
  const stored = await objects.getBytes(await findCuesKey(videoId));
  const cues: Cue[] = JSON.parse(inflateRawSync(stored ?? '').toString());
  const { key, data } = await packCues(cues.map(({ words: _, ...cue }) => cue));
  await objects.put(key, data);
  await fetcher.query('UPDATE transcripts SET object_key = $2 WHERE video_id = $1', [videoId, key]);
};

describe('the words of a transcript', () => {
  it('have the times of recognised speech, and make up the text of each cue', async () => {
    const videoId = 'asrOnlyEn01';
    await fetcher.get({ videoId, format: 'words' });
    const timed = await read(await fetcher.get({ videoId, format: 'words' }));
    const plain = await read(await fetcher.get({ videoId, format: 'json' }));
    expect(timed.map(({ words: _, ...entry }) => entry)).toEqual(plain);
    for (const { text, start, words } of timed) {
      expect(words?.map((word) => word.text).join(' ')).toBe(text.replaceAll('\n', ' '));
      expect(words?.every((word) => word.start >= start)).toBe(true);
    }
    expect(timed.some(({ start, words }) => words?.some((word) => word.start > start))).toBe(true);
  });

  it('are null for written captions', async () => {
    const videoId = 'manualEn001';
    await fetcher.get({ videoId, format: 'words' });
    const entries = await read(await fetcher.get({ videoId, format: 'words' }));
    expect(new Set(entries.map(({ words }) => words))).toEqual(new Set([null]));
  });

  it('are null for a track that the release before stored', async () => {
    const videoId = 'dubbedAsr01';
    await fetcher.get({ videoId, format: 'json' });
    await removeStoredWords(videoId);
    const entries = await read(await fetcher.get({ videoId, format: 'words' }));
    expect(entries.length).toBeGreaterThan(0);
    expect(new Set(entries.map(({ words }) => words))).toEqual(new Set([null]));
  });

  it('do not change the files of a track that the release before stored, if its cues are fetched again', async () => {
    const videoId = 'dubbedAsr01';
    const before = await fetcher.get({ videoId, format: 'clean' });
    const key = await findCuesKey(videoId);
    const { objects } = fetcher.kit();
    for (const lost of [key, ...(before.state === 'delivered' ? [before.objectKey] : [])])
      await objects.delete(lost);
    const after = await fetcher.get({ videoId, format: 'clean' });
    expect(after).toMatchObject({ sha256: before.state === 'delivered' && before.sha256 });
    expect(await findCuesKey(videoId)).toBe(key);
  });
});
