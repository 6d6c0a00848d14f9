import type { CaptionKind, TranscriptFormat, VideoDetails } from '@tds/contracts';

/** What a transcript says of its video; the id stands beside it. */
export type VideoSnapshot = Omit<VideoDetails, 'id'>;

/** What tells one caption track of all videos from the others. */
export type TrackIdentity = {
  readonly videoId: string;
  readonly languageCode: string;
  readonly kind: CaptionKind;
  readonly translated: boolean;
};

/** A cached caption track; its cues lie in the object store under `cuesKey`. */
export type CachedTranscript = Omit<TrackIdentity, 'translated'> & {
  readonly id: string;
  readonly cuesKey: string;
  readonly cachedAt: Date;
  /** As it was when the track was fetched. */
  readonly video: VideoDetails;
  /** What brought it from the platform. */
  readonly strategy: string;
};

/** A transcript rendered in one format; stored raw-deflated, `bytes`, `sha256` and `crc32` are of the file itself. */
export type KeptFile = {
  readonly format: TranscriptFormat;
  readonly objectKey: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly crc32: number;
};
