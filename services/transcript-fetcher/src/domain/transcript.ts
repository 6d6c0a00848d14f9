import type { CaptionKind, VideoDetails } from '@tds/contracts';

/** What a transcript says of its video; the id stands beside it. */
export type VideoSnapshot = Omit<VideoDetails, 'id'>;

/** A cached caption track; its cues lie in the object store under `cuesKey`. */
export type CachedTranscript = {
  readonly id: string;
  readonly videoId: string;
  readonly languageCode: string;
  readonly kind: CaptionKind;
  readonly cuesKey: string;
  readonly cachedAt: Date;
};

/** A transcript rendered in one format; stored raw-deflated, `bytes` and `sha256` are of the file itself. */
export type RenderedFile = { readonly objectKey: string; readonly bytes: number; readonly sha256: string };
