import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TranscriptAnswer, transcriptFetcher } from '@tds/contracts';
import { startFetcher } from '../test-support/start-fetcher.ts';

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
});
