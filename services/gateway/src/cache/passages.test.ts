import { afterAll, describe, expect, it } from '@jest/globals';
import { leastCpuMs, proven } from '@tds/jest';
import { eventually } from '@tds/test-kit';
import { newTranscript } from '../test-support/builders.ts';
import { createPassages, MAX_BYTES_ON_LOOP } from './passages.ts';
import { TranscriptEntry } from './transcript-memory.ts';

const stops: (() => Promise<void>)[] = [];
const passages = createPassages({ onStop: (_name, stop) => void stops.push(async () => stop()) });
afterAll(() => Promise.all(stops.map((stop) => stop())));

const fileOf = (count: number) =>
  Buffer.from(
    JSON.stringify(Array.from({ length: count }, (_, at) => ({ start: at, duration: 1, text: `word ${at}.` }))),
  );
const form = { maxCharacters: 300, words: false };
const track = { language: 'en', video: { id: 'manualEn001', chapters: null } };
const entryOf = (count: number) => {
  const file = fileOf(count);
  return new TranscriptEntry(newTranscript(file.toString(), { format: 'words' }), file);
};

describe('the passages of a transcript', () => {
  it('are listed once for readers who ask at once, and kept for the last size', async () => {
    const entry = entryOf(500);
    const [one, same, other] = await Promise.all([
      passages.wrap(entry, { ...form, maxCharacters: 300 }),
      passages.wrap(entry, { ...form, maxCharacters: 300 }),
      passages.wrap(entry, { ...form, maxCharacters: 900 }),
    ]);
    expect(same).toBe(one);
    expect(other.equals(one)).toBe(false);
    expect(await passages.wrap(entry, { ...form, maxCharacters: 900 })).toBe(other);
    expect((await passages.wrap(entry, { ...form, maxCharacters: 300 })).equals(one)).toBe(true);
    const worded = JSON.parse((await passages.wrap(entry, { maxCharacters: 300, words: true })).toString());
    expect(worded.cues).toEqual(JSON.parse(fileOf(500).toString()));
    expect(await passages.wrap(entryOf(500), { ...form, maxCharacters: 300 })).not.toBe(one);
  });

  it('of a large file are listed in a thread, which gives the same and does not block others', async () => {
    const file = fileOf(100_000);
    expect(file.length).toBeGreaterThan(20 * MAX_BYTES_ON_LOOP);
    let listed = Buffer.from('');
    const least = { runs: proven(1, 5) };
    const beside = await leastCpuMs(async () => {
      // A busy machine may need longer than a caller waits.
      await eventually(async () => {
        listed = Buffer.from(await passages.list({ file, ...track, ...form }));
      });
    }, least);
    const { writePassages } = await import('./list-passages.ts');
    const onTheLoop = await leastCpuMs(() => writePassages({ file, ...track, ...form }), least);
    expect(beside).toBeLessThan(onTheLoop / 2);
    expect(listed.equals(writePassages({ file, ...track, ...form }))).toBe(true);
  });

  it('are a retryable error if the file is none', async () => {
    const file = Buffer.alloc(MAX_BYTES_ON_LOOP + 1, 'x');
    const list = passages.list({ file, ...track, ...form });
    await expect(list).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
