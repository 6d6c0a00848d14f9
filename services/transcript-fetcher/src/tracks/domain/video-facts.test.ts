import { describe, expect, it } from '@jest/globals';
import { transcriptFetcher, unknownVideo } from '@tds/contracts';
import { toPublicFacts, unknownFacts, type VideoFacts } from './video-facts.ts';

const fetched: VideoFacts = {
  video: {
    ...unknownVideo('manualEn001'),
    title: 'A title',
    channel_id: 'UC_x5XG1OV2P6uZZ5FSM9Ttw',
    channel_title: 'A channel',
    published_at: '2020-01-02',
    duration: 61,
  },
  status: 'fetched',
  errorClass: null,
  fetchedAt: new Date('2026-11-20T09:30:00.999Z'),
  cached: [
    { languageCode: 'en', kind: 'asr', translated: false, cachedAt: new Date('2026-11-20T09:30:01.000Z') },
  ],
  tracks: [{ language_code: 'en', kind: 'asr', name: 'English' }],
  originalLanguage: 'en',
  selected: { languageCode: 'en', kind: 'asr' },
};

describe('the public facts of a video', () => {
  it('have the form of the contract, with times as in the specification', () => {
    const facts = toPublicFacts(fetched);
    expect(transcriptFetcher.getVideoFacts.reply.parse(facts)).toEqual(facts);
    expect(facts).toMatchObject({
      video: { status: 'fetched', error_class: null, fetched_at: '2026-11-20 09:30:00' },
      cached_languages: [
        { language_code: 'en', kind: 'asr', translated: false, cached_at: '2026-11-20T09:30:01.000Z' },
      ],
      selected: { language_code: 'en', kind: 'asr' },
    });
  });

  it('are null if unknown', () => {
    const facts = toPublicFacts(unknownFacts('manualEn001'));
    expect(transcriptFetcher.getVideoFacts.reply.parse(facts)).toEqual(facts);
    const { id, status, ...unknown } = facts.video;
    expect([id, status]).toEqual(['manualEn001', 'unknown']);
    expect(new Set(Object.values(unknown))).toEqual(new Set([null]));
    expect([facts.cached_languages, facts.caption_tracks, facts.selected]).toEqual([[], [], null]);
  });

  it.each([
    ['unavailable', 'Unavailable'],
    ['error', 'IpBlocked'],
  ] as const)('names the class of the error if its status is %s', (status, errorClass) => {
    expect(toPublicFacts({ ...fetched, status, errorClass }).video.error_class).toBe(errorClass);
  });

  it('have no error class for a video without captions, which is no failure', () => {
    const { video } = toPublicFacts({ ...fetched, status: 'no_captions', errorClass: 'NoCaptions' });
    expect(video).toMatchObject({ status: 'no_captions', error_class: null });
  });

  it('call every kind but the automatic one manual', () => {
    const odd = { ...fetched, selected: { languageCode: 'en', kind: 'forced' } };
    expect(toPublicFacts(odd).selected).toEqual({ language_code: 'en', kind: 'manual' });
  });
});
