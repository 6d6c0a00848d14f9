import { describe, expect, it } from '@jest/globals';
import { transcriptFetcher } from '@tds/contracts';
import { toPublicFacts, unknownVideo, type VideoFacts } from './video-facts.ts';

const fetched: VideoFacts = {
  video: {
    id: 'manualEn001',
    title: 'A title',
    channel_id: 'UC_x5XG1OV2P6uZZ5FSM9Ttw',
    channel_title: 'A channel',
    published_at: '2020-01-02',
    duration: 61,
  },
  status: 'fetched',
  errorClass: null,
  fetchedAt: new Date('2026-11-20T09:30:00.999Z'),
  cached: [{ languageCode: 'en', kind: 'asr', cachedAt: new Date('2026-11-20T09:30:01.000Z') }],
  tracks: [{ language_code: 'en', kind: 'asr', name: 'English' }],
  selected: { languageCode: 'en', kind: 'asr' },
};

describe('what is told of a video', () => {
  it('has the form of the contract, with times as the specification gives them', () => {
    const told = toPublicFacts(fetched);
    expect(transcriptFetcher.getVideoFacts.reply.parse(told)).toEqual(told);
    expect(told).toMatchObject({
      video: { status: 'fetched', error_class: null, fetched_at: '2026-11-20 09:30:00' },
      cached_languages: [{ language_code: 'en', kind: 'asr', cached_at: '2026-11-20T09:30:01.000Z' }],
      selected: { language_code: 'en', kind: 'asr' },
    });
  });

  it('is null for all that is unknown', () => {
    const told = toPublicFacts(unknownVideo('manualEn001'));
    expect(transcriptFetcher.getVideoFacts.reply.parse(told)).toEqual(told);
    const { id, status, ...unknown } = told.video;
    expect([id, status]).toEqual(['manualEn001', 'unknown']);
    expect(new Set(Object.values(unknown))).toEqual(new Set([null]));
    expect([told.cached_languages, told.caption_tracks, told.selected]).toEqual([[], [], null]);
  });

  it.each([
    ['unavailable', 'Unavailable'],
    ['error', 'IpBlocked'],
  ] as const)('names the class of the error if its status is %s', (status, errorClass) => {
    expect(toPublicFacts({ ...fetched, status, errorClass }).video.error_class).toBe(errorClass);
  });

  it('names no class of an error that is no failure: a video without captions', () => {
    const { video } = toPublicFacts({ ...fetched, status: 'no_captions', errorClass: 'NoCaptions' });
    expect(video).toMatchObject({ status: 'no_captions', error_class: null });
  });

  it('calls every kind but the automatic one manual', () => {
    const odd = { ...fetched, selected: { languageCode: 'en', kind: 'forced' } };
    expect(toPublicFacts(odd).selected).toEqual({ language_code: 'en', kind: 'manual' });
  });
});
