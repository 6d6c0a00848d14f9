import { describe, expect, it } from '@jest/globals';
import { unknownVideo } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { type Fact, PlatformError } from '@tds/video-platform';
import { REFUSAL_TTL_MS } from '../domain/transcript.ts';
import { video } from '../test-support/cached.ts';
import { buildInspection, platformTrack } from '../test-support/inspected.ts';
import { FACT_TTL_MS } from './domain/video-facts.ts';
import { factsFrom } from './fetch-track.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);
const unknown = unknownVideo(video.id);
type Details = Partial<ConstructorParameters<typeof PlatformError>[1]>;
const durable: Fact = { kind: 'durable' };

const refusal = (code: 'video_unavailable' | 'ip_blocked' | 'no_captions', details: Details = {}) => {
  const none: Fact = { kind: 'none' };
  const said = { fact: none, video: null, tracks: [], wasAsked: true, ...details };
  return new PlatformError(serviceError(code).data, said);
};
const factsOf = (error: PlatformError) => factsFrom(video.id, { error, inspection: null }, now);

describe('a refusal by the platform', () => {
  it('is saved as a fact about the video, with the details of the inspection', () => {
    const said = { fact: durable, video: { ...unknown, title: 'Gone' }, tracks: [platformTrack('en')] };
    expect(factsOf(refusal('video_unavailable', said))).toEqual({
      selection: null,
      video: {
        ...unknown,
        title: 'Gone',
        caption_tracks: [{ language_code: 'en', kind: 'manual', name: 'Captions in en' }],
        ...{ original_language: null, translatable: null, tracks_at: null },
        status: 'unavailable',
        error_class: 'Unavailable',
        fact: {
          ...serviceError('video_unavailable').data,
          message: expect.stringMatching(
            / otherwise unavailable\. This is believed until 2026-11-27 12:00 UTC/,
          ),
        },
        fact_expires_at: after(FACT_TTL_MS),
        fact_retry_at: null,
        selected_language: null,
        selected_kind: null,
        fetched_at: now,
      },
    });
  });

  it('is a passing fact for as long as the platform says', () => {
    const fact: Fact = { kind: 'short_lived', ttlSeconds: 300 };
    expect(factsOf(refusal('no_captions', { fact })).video).toMatchObject({
      status: 'no_captions',
      fact_expires_at: after(300_000),
    });
  });

  it('of a route sets the status of the video and is never a fact about it', () => {
    expect(factsOf(refusal('ip_blocked'))).toMatchObject({
      selection: null,
      video: { ...unknown, caption_tracks: [], status: 'error', error_class: 'IpBlocked', fact: null },
    });
  });

  it('saves nothing if every route was closed, because the video was not inspected', () => {
    const closed = refusal('ip_blocked', { wasAsked: false });
    expect(factsOf(closed)).toEqual({ selection: null, video: null });
  });
});

describe('an unexpected failure', () => {
  const broken = serviceError('relay_attempt_cap');

  it('saves nothing if the platform was not reached', () => {
    expect(factsFrom(video.id, { error: broken, inspection: null }, now)).toEqual({
      selection: null,
      video: null,
    });
  });

  it('saves what the platform had answered about the video before', () => {
    const inspection = buildInspection({ tracks: [platformTrack('en'), platformTrack('de')] });
    expect(factsFrom(video.id, { error: broken, inspection }, now)).toMatchObject({
      selection: null,
      video: {
        ...video,
        status: 'error',
        error_class: 'UpstreamError',
        fact: null,
        caption_tracks: { length: 2 },
        ...{ original_language: 'en', translatable: true, tracks_at: now },
      },
    });
  });
});

describe('an unavailable language', () => {
  const inspection = buildInspection({
    tracks: [platformTrack('en'), platformTrack('de'), platformTrack('en')],
  });
  const missing = serviceError('language_unavailable', { extras: { available_languages: ['en', 'de'] } });

  it('is saved for the language and not for the video', () => {
    expect(factsFrom(video.id, { error: missing, inspection }, now)).toEqual({
      selection: {
        isFallback: true,
        translation: 'unavailable',
        available: ['en', 'de'],
        expiresAt: after(FACT_TTL_MS),
      },
      video: null,
    });
  });

  it('is remembered for minutes only if some clients were not asked', () => {
    const incomplete = { ...inspection, translationsComplete: false };
    const { selection } = factsFrom(video.id, { error: missing, inspection: incomplete }, now);
    expect(selection?.expiresAt).toEqual(after(600_000));
  });

  it('is remembered as a refusal for a minute', () => {
    const { selection } = factsFrom(video.id, { error: serviceError('translation_refused'), inspection }, now);
    expect(selection).toMatchObject({ translation: 'refused', expiresAt: after(REFUSAL_TTL_MS) });
  });

  it('is not saved if the video was not inspected', () => {
    expect(factsFrom(video.id, { error: missing, inspection: null }, now).selection).toBeNull();
  });
});
