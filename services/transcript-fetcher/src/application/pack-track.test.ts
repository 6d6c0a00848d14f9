import { inflateRawSync } from 'node:zlib';
import type { TrackChoice } from '@tds/video-platform';
import { describe, expect, it } from 'vitest';
import { REFUSAL_MEMORY_MS } from '../domain/selection.ts';
import { video } from '../test-support/cached.ts';
import { inspectionOf, platformTrack } from '../test-support/inspected.ts';
import { deliveryOf, packTrack } from './pack-track.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const cues = [{ startMs: 0, durationMs: 1_000, text: 'hello' }];
const inspection = inspectionOf({ tracks: [platformTrack('en'), platformTrack('en'), platformTrack('de')] });
const track = { videoId: video.id, languageCode: 'en', kind: 'manual', translated: false } as const;
const choice: TrackChoice = {
  ...{ track: { languageCode: 'en', kind: 'manual', vssId: '.en' }, translateTo: null, delivered: 'en' },
  ...{ isFallback: false, translation: 'not_requested', fallbackChoice: null },
};
const known = { ...video, title: 'A title that was known before' };
const obtained = { inspection, video: known, choice, track, cachedId: null };
const fetch = { id: 'fetch', videoId: video.id, language: 'en-GB', fallback: true };
const pack = (format: 'srt' | null) => packTrack(obtained, { format, cues, cachedAt: now });

describe('a new track', () => {
  it('is kept as it was found: what was known of its video, who brought it, and how many cues it has', async () => {
    const { transcript } = await pack('srt');
    expect(transcript).toMatchObject({
      ...track,
      video: known,
      strategy: 'android',
      cachedAt: now,
      cueCount: 1,
    });
  });

  it('is stored with the file that is waited for, each under the key that its row names', async () => {
    const { transcript, rendered, objects } = await pack('srt');
    expect(objects.map(({ key }) => key)).toEqual([transcript.cuesKey, rendered?.file.objectKey]);
    const [stored, file] = objects.map(({ data }) => inflateRawSync(data).toString());
    expect(JSON.parse(String(stored))).toEqual(cues);
    expect(file).toBe(rendered?.body.toString());
    expect(file).toContain('00:00:00,000 --> 00:00:01,000');
  });

  it('is stored without any file if nobody remembers what is waited for', async () => {
    const { transcript, rendered, objects } = await pack(null);
    expect(rendered).toBeNull();
    expect(objects.map(({ key }) => key)).toEqual([transcript.cuesKey]);
  });

  it('is another transcript each time: the first one that is saved is kept', async () => {
    const [one, other] = [await pack('srt'), await pack('srt')];
    expect(one.transcript.id).not.toBe(other.transcript.id);
    expect(one.transcript.cuesKey).toBe(other.transcript.cuesKey);
  });
});

describe('what is saved of a track', () => {
  it('leads the wanted language to it for ever, beside what the platform said of the video', async () => {
    const packed = await pack('srt');
    expect(deliveryOf(fetch, obtained, packed, now)).toEqual({
      fetch,
      inspected: { video, tracks: inspection.tracks.map(() => expect.anything()) },
      track,
      selection: {
        isFallback: false,
        translation: 'not_requested',
        available: ['en', 'de'],
        expiresAt: null,
      },
      transcript: packed.transcript,
      file: packed.rendered?.file,
      cachedId: null,
      now,
    });
  });

  it('leads there for a minute only where a translation was refused', () => {
    const refused = { ...obtained, choice: { ...choice, isFallback: true, translation: 'refused' as const } };
    expect(deliveryOf(fetch, refused, null, now).selection).toMatchObject({
      isFallback: true,
      expiresAt: new Date(now.getTime() + REFUSAL_MEMORY_MS),
    });
  });

  it('is no transcript and no file for one that is cached already', () => {
    const again = { ...obtained, cachedId: 'transcript' };
    expect(deliveryOf(fetch, again, null, now)).toMatchObject({
      transcript: null,
      file: null,
      cachedId: 'transcript',
    });
  });
});
