import { afterAll, describe, expect, it } from '@jest/globals';
import { leastCpuMs } from '@tds/jest';
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
const entryOf = (count: number) => {
  const file = fileOf(count);
  return new TranscriptEntry(newTranscript(file.toString(), { format: 'json' }), file);
};

describe('the passages of a transcript', () => {
  it('are listed once for readers who ask at once, and kept for the last size', async () => {
    const entry = entryOf(500);
    const [one, same, other] = await Promise.all([
      passages.wrap(entry, 300),
      passages.wrap(entry, 300),
      passages.wrap(entry, 900),
    ]);
    expect(same).toBe(one);
    expect(other.equals(one)).toBe(false);
    expect(await passages.wrap(entry, 900)).toBe(other);
    expect((await passages.wrap(entry, 300)).equals(one)).toBe(true);
    expect(await passages.wrap(entryOf(500), 300)).not.toBe(one);
  });

  it('of a large file are listed in a thread, which gives the same and does not block others', async () => {
    const file = fileOf(100_000);
    const video = { id: 'manualEn001', chapters: null };
    expect(file.length).toBeGreaterThan(20 * MAX_BYTES_ON_LOOP);
    let listed = Buffer.from('');
    const beside = await leastCpuMs(async () => {
      listed = Buffer.from(await passages.list({ file, video, maxCharacters: 300 }));
    });
    const { writePassages } = await import('./list-passages.ts');
    const onTheLoop = await leastCpuMs(() => writePassages({ file, video, maxCharacters: 300 }));
    expect(beside).toBeLessThan(onTheLoop / 2);
    expect(listed.equals(writePassages({ file, video, maxCharacters: 300 }))).toBe(true);
  });

  it('are a retryable error if the file is none', async () => {
    const file = Buffer.alloc(MAX_BYTES_ON_LOOP + 1, 'x');
    const list = passages.list({ file, video: { id: 'manualEn001', chapters: null }, maxCharacters: 300 });
    await expect(list).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
