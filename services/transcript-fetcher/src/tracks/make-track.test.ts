import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { unknownVideo } from '@tds/contracts';
import type { Objects } from '@tds/objects';
import { makeTrack, packCues, render } from './make-track.ts';
import { loadRendered } from './track-files.ts';

const cues = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ startMs: n * 1_000, durationMs: 900, text: `cue number ${n}` }));
const transcript = {
  id: '00000000-0000-7000-8000-000000000001',
  languageCode: 'en',
  kind: 'manual',
  video: { ...unknownVideo('manualEn001'), title: 'A title', duration: 1 },
} as const;
const inflated = (data: Buffer) => inflateRawSync(data).toString();

describe('cues', () => {
  it.each([1, 40, 20_000])(
    'of %i batches are stored unchanged under the hash of their content',
    async (count) => {
      const { key, data } = await packCues(cues(count));
      expect(JSON.parse(inflated(data))).toEqual(cues(count));
      expect(await packCues(cues(count))).toEqual({ key, data });
      expect((await packCues(cues(count + 1))).key).not.toBe(key);
    },
  );
});

describe('the times of words', () => {
  const body = JSON.stringify({
    events: [{ tStartMs: 100, dDurationMs: 900, segs: [{ utf8: 'two' }, { utf8: ' words', tOffsetMs: 90 }] }],
  });
  const storedCues = async (kind: 'asr' | 'manual') => {
    const wanted = { transcript: { ...transcript, kind }, format: 'json' as const };
    const made = await makeTrack({ body, request: wanted });
    if (made.kind !== 'read') throw new Error('refused');
    return { cues: JSON.parse(inflated(made.value.cues.data)), file: made.value.rendered.body.toString() };
  };

  it('are stored with the cues of recognised speech, not of written captions, and change no file', async () => {
    const cue = { startMs: 100, durationMs: 900, text: 'two words' };
    const words = [
      { startMs: 100, text: 'two' },
      { startMs: 190, text: 'words' },
    ];
    const [recognised, written] = [await storedCues('asr'), await storedCues('manual')];
    expect(recognised.cues).toEqual([{ ...cue, words }]);
    expect(written.cues).toEqual([cue]);
    expect(recognised.file).toBe(written.file);
  });
});

describe('a rendered file', () => {
  it('has the same bytes for ever, under its transcript and format', async () => {
    const [once, again] = [
      await render({ transcript, format: 'srt' }, cues(3)),
      await render({ transcript, format: 'srt' }, cues(3)),
    ];
    expect(again).toEqual(once);
    expect(once.packed.key).toBe(`rendered/${transcript.id}/srt.3`);
    expect(inflated(once.packed.data)).toBe(once.body.toString());
    expect(once.file).toMatchObject({ format: 'srt', bytes: once.body.length, objectKey: once.packed.key });
    expect((await render({ transcript, format: 'vtt' }, cues(3))).file.sha256).not.toBe(once.file.sha256);
  });

  it('is read as rendered; null if the object store has lost it', async () => {
    const { file, body, packed } = await render({ transcript, format: 'md' }, cues(500));
    const stored = new Map([[packed.key, packed.data]]);
    const objects = { getBytes: async (key: string) => stored.get(key) ?? null } as unknown as Objects;
    expect(await loadRendered(objects, file)).toEqual(body);
    stored.clear();
    expect(await loadRendered(objects, file)).toBeNull();
  });
});
