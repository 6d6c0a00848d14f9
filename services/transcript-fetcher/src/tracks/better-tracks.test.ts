import { describe, expect, it } from '@jest/globals';
import { nextCheckAt, rankTrack } from './better-tracks.ts';

const native = { isFallback: false, translation: 'not_requested' } as const;
const served = { isFallback: false, translation: 'served' } as const;
const refused = { isFallback: true, translation: 'refused' } as const;
const fallback = { isFallback: true, translation: 'unavailable' } as const;
const track = (languageCode: string, kind: 'manual' | 'asr' = 'manual') => ({ languageCode, kind });

describe('a kept track', () => {
  it('gives way to a better one only: fallback, translation, recognised, written', () => {
    const ranks = [
      rankTrack('es', refused, track('en')),
      rankTrack('es', fallback, track('en', 'asr')),
      rankTrack('es', fallback, track('en')),
      rankTrack('es', served, track('es', 'asr')),
      rankTrack('es', served, track('es')),
      rankTrack('es', native, track('es', 'asr')),
      rankTrack('es', native, track('es-419')),
    ];
    expect(ranks.toSorted((one, other) => one - other)).toEqual(ranks);
    expect(new Set(ranks).size).toBe(ranks.length);
  });

  it('of a list gives way to one in an earlier language, not to a written one in a later', () => {
    expect(rankTrack('de,en', native, track('de', 'asr'))).toBeGreaterThan(
      rankTrack('de,en', native, track('en')),
    );
    expect(rankTrack('orig,en', native, track('ja', 'asr'))).toBeGreaterThan(
      rankTrack('orig,en', native, track('en')),
    );
  });

  it('is looked for again after a day while its video is young or of unknown age, and never if none is better', () => {
    const now = new Date('2026-11-27T12:00:00Z');
    const tomorrow = new Date('2026-11-28T12:00:00Z');
    const heard = rankTrack('en', native, track('en', 'asr'));
    expect(nextCheckAt(heard, '2026-11-01', now)).toEqual(tomorrow);
    expect(nextCheckAt(heard, null, now)).toEqual(tomorrow);
    expect(nextCheckAt(heard, '2026-10-27', now)).toBeNull();
    expect(nextCheckAt(rankTrack('en', native, track('en')), '2026-11-27', now)).toBeNull();
    expect(nextCheckAt(rankTrack('de,en', native, track('en')), '2026-11-27', now)).toEqual(tomorrow);
  });
});
