import type { CaptionTrack, ReplyOf, transcriptFetcher, VideoDetails } from '@tds/contracts';

export type VideoStatus = 'unknown' | 'fetched' | 'no_captions' | 'unavailable' | 'error';

export type VideoFacts = {
  readonly video: VideoDetails;
  readonly status: VideoStatus;
  readonly errorClass: string | null;
  readonly fetchedAt: Date | null;
  readonly cached: readonly {
    readonly languageCode: string;
    readonly kind: string;
    readonly cachedAt: Date;
  }[];
  readonly tracks: readonly CaptionTrack[];
  readonly selected: { readonly languageCode: string; readonly kind: string } | null;
};

type PublicFacts = ReplyOf<typeof transcriptFetcher.getVideoFacts>;

/** `2026-11-20 09:30:00`, UTC: the form that the specification gives for fetched_at. */
const plainTimestamp = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

/** A video that nobody has asked for: everything unknown is null. */
export const unknownVideo = (id: string): VideoFacts => ({
  video: { id, title: null, channel_id: null, channel_title: null, published_at: null, duration: null },
  status: 'unknown',
  errorClass: null,
  fetchedAt: null,
  cached: [],
  tracks: [],
  selected: null,
});

const asKind = (kind: string): 'manual' | 'asr' => (kind === 'asr' ? 'asr' : 'manual');

export const toPublicFacts = (facts: VideoFacts): PublicFacts => ({
  video: {
    ...facts.video,
    status: facts.status,
    error_class: facts.status === 'unavailable' || facts.status === 'error' ? facts.errorClass : null,
    fetched_at: facts.fetchedAt && facts.status !== 'unknown' ? plainTimestamp(facts.fetchedAt) : null,
  },
  cached_languages: facts.cached.map(({ languageCode, kind, cachedAt }) => ({
    language_code: languageCode,
    kind: asKind(kind),
    cached_at: cachedAt.toISOString(),
  })),
  caption_tracks: [...facts.tracks],
  selected: facts.selected && {
    language_code: facts.selected.languageCode,
    kind: asKind(facts.selected.kind),
  },
});
