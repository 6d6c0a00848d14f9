import type { CaptionKind } from '@tds/contracts';

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
