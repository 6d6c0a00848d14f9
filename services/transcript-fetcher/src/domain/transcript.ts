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
  /** As the transcript says it for ever; what is known now if a release before this one did not keep it. */
  readonly video: VideoDetails;
  /** What brought it from the platform; null if a release before this one did not keep it. */
  readonly strategy: string | null;
};

/** A transcript rendered in one format; stored raw-deflated, `bytes` and `sha256` are of the file itself. */
export type RenderedFile = { readonly objectKey: string; readonly bytes: number; readonly sha256: string };

/** A file as its row says it; `crc32` is of the file itself, too, for archives. */
export type KeptFile = RenderedFile & { readonly format: TranscriptFormat; readonly crc32: number };
